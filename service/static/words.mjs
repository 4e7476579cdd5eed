// What the pages say of themselves, in four languages. What games say comes from the API.

export const ALL = {
  en: {
    language: "Language", table: "Table", hand: "Your hand", seat: "Seat", you: "you", robot: "bundled player",
    free: "free", left: "has left", score: "Points", screams: "Screams", cards: "Cards", deck: "Deck", discards: "Discarded",
    pantry: "Pantry", centre: "Guests in the centre", doorway: "In the doorway", guests: "Guests", desserts: "Desserts",
    claim: "Declared", pair: "a pair", offer: "Offered", empty: "nothing", faceUp: "Laid open", faceDown: "face down",
    hidden: "Hidden card", turn: "turn", yourTurn: "You are asked", waiting: "Waiting for", over: "The game is over",
    winners: "Winner", won: "You have won!", open: "The table is open", start: "Start", join: "Take a seat",
    invite: "Invite by link", copied: "Link copied. It works once.", addBundled: "Seat a bundled player", undo: "Ask to undo",
    agree: "Agree", decline: "Decline", wants: "asks for", undoWord: "an undo", otherMotion: "a decision of the table",
    connected: "Connected", reconnecting: "Connecting again…", timeLeft: "Time left", seconds: "s",
    choose: "Choose cards", chosen: "chosen", clear: "Clear choice", rules: "Why?", legalHint: "What you can do now",
    notAllowed: "Not allowed", play: "Play", opponents: "Opponents", game: "Game", startGame: "Play now", name: "Your name",
    again: "Play again", replay: "Replay", sound: "Sounds", newest: "Newest public games", from: "from", forTarget: "for",
    keep: "keep", give: "give", take: "take", inventionName: "Name of your invention", invention: "Invention", spoiled: "spoiled",
    noAccess: "There is no such game, or you may not know of it.", failed: "That did not work", home: "Home", log: "What happened",
    block: "A guest of yours is wanted", refuses: "refuses", craves: "craves", favourite: "Favourite", worth: "with", lap: "lap",
    back: "Back", pickMore: "choose {least} to {most}", needs: "needs", scoreboard: "Score", skip: "Skip to the table",
    nobody: "nobody", watching: "You are watching", levels: "Level", packetMark: "packet", version: "Version", previous: "Step back", next: "Step on", speed: "Play, one step each",
  },
  de: {
    language: "Sprache", table: "Tisch", hand: "Deine Hand", seat: "Platz", you: "du", robot: "eingebauter Spieler",
    free: "frei", left: "ist gegangen", score: "Punkte", screams: "Schreie", cards: "Karten", deck: "Stapel", discards: "Abgelegt",
    pantry: "Speisekammer", centre: "Gäste in der Mitte", doorway: "In der Tür", guests: "Gäste", desserts: "Desserts",
    claim: "Angesagt", pair: "ein Paar", offer: "Angeboten", empty: "nichts", faceUp: "Offen", faceDown: "verdeckt",
    hidden: "Verdeckte Karte", turn: "Zug", yourTurn: "Du bist gefragt", waiting: "Warten auf", over: "Das Spiel ist aus",
    winners: "Gewonnen hat", won: "Du hast gewonnen!", open: "Der Tisch ist offen", start: "Anfangen", join: "Platz nehmen",
    invite: "Per Link einladen", copied: "Link kopiert. Er gilt einmal.", addBundled: "Eingebauten Spieler setzen", undo: "Um Rücknahme bitten",
    agree: "Zustimmen", decline: "Ablehnen", wants: "bittet um", undoWord: "eine Rücknahme", otherMotion: "eine Entscheidung des Tisches",
    connected: "Verbunden", reconnecting: "Verbinde neu …", timeLeft: "Zeit", seconds: "s",
    choose: "Karten wählen", chosen: "gewählt", clear: "Auswahl aufheben", rules: "Warum?", legalHint: "Was du jetzt tun kannst",
    notAllowed: "Nicht erlaubt", play: "Spielen", opponents: "Gegner", game: "Spiel", startGame: "Jetzt spielen", name: "Dein Name",
    again: "Noch einmal", replay: "Wiedergabe", sound: "Töne", newest: "Neueste öffentliche Spiele", from: "aus", forTarget: "für",
    keep: "behalten", give: "geben", take: "nehmen", inventionName: "Name deiner Erfindung", invention: "Erfindung", spoiled: "verdorben",
    noAccess: "Dieses Spiel gibt es nicht, oder du darfst es nicht kennen.", failed: "Das hat nicht geklappt", home: "Start", log: "Was geschah",
    block: "Ein Gast von dir wird umworben", refuses: "lehnt ab", craves: "mag", favourite: "Lieblingsdessert", worth: "mit", lap: "Runde",
    back: "Zurück", pickMore: "{least} bis {most} wählen", needs: "braucht", scoreboard: "Stand", skip: "Zum Tisch springen",
    nobody: "niemand", watching: "Du schaust zu", levels: "Stufe", packetMark: "Päckchen", version: "Version", previous: "Schritt zurück", next: "Schritt vor", speed: "Abspielen, ein Schritt je",
  },
  fr: {
    language: "Langue", table: "Table", hand: "Votre main", seat: "Place", you: "vous", robot: "joueur intégré",
    free: "libre", left: "est parti", score: "Points", screams: "Cris", cards: "Cartes", deck: "Pioche", discards: "Défausse",
    pantry: "Garde-manger", centre: "Clients au centre", doorway: "À la porte", guests: "Clients", desserts: "Desserts",
    claim: "Annoncé", pair: "une paire", offer: "Proposé", empty: "rien", faceUp: "Face visible", faceDown: "face cachée",
    hidden: "Carte cachée", turn: "tour", yourTurn: "À vous", waiting: "On attend", over: "La partie est finie",
    winners: "Vainqueur", won: "Vous avez gagné !", open: "La table est ouverte", start: "Commencer", join: "Prendre place",
    invite: "Inviter par lien", copied: "Lien copié. Il sert une fois.", addBundled: "Placer un joueur intégré", undo: "Demander d'annuler",
    agree: "Accepter", decline: "Refuser", wants: "demande", undoWord: "une annulation", otherMotion: "une décision de la table",
    connected: "Connecté", reconnecting: "Reconnexion…", timeLeft: "Temps restant", seconds: "s",
    choose: "Choisir des cartes", chosen: "choisies", clear: "Effacer le choix", rules: "Pourquoi ?", legalHint: "Ce que vous pouvez faire",
    notAllowed: "Interdit", play: "Jouer", opponents: "Adversaires", game: "Jeu", startGame: "Jouer", name: "Votre nom",
    again: "Rejouer", replay: "Revoir", sound: "Sons", newest: "Dernières parties publiques", from: "de", forTarget: "pour",
    keep: "garder", give: "donner", take: "prendre", inventionName: "Nom de votre invention", invention: "Invention", spoiled: "gâté",
    noAccess: "Cette partie n'existe pas, ou vous ne pouvez pas la connaître.", failed: "Cela n'a pas marché", home: "Accueil", log: "Ce qui s'est passé",
    block: "On veut un de vos clients", refuses: "refuse", craves: "désire", favourite: "Dessert préféré", worth: "avec", lap: "tour",
    back: "Retour", pickMore: "choisir {least} à {most}", needs: "demande", scoreboard: "Score", skip: "Aller à la table",
    nobody: "personne", watching: "Vous regardez", levels: "Niveau", packetMark: "sachet", version: "Version", previous: "Pas en arrière", next: "Pas en avant", speed: "Défiler, un pas par",
  },
  ru: {
    language: "Язык", table: "Стол", hand: "Ваша рука", seat: "Место", you: "вы", robot: "встроенный игрок",
    free: "свободно", left: "ушёл", score: "Очки", screams: "Крики", cards: "Карты", deck: "Колода", discards: "Сброс",
    pantry: "Кладовая", centre: "Гости в центре", doorway: "В дверях", guests: "Гости", desserts: "Десерты",
    claim: "Объявлено", pair: "пара", offer: "Предложено", empty: "ничего", faceUp: "В открытую", faceDown: "рубашкой вверх",
    hidden: "Закрытая карта", turn: "ход", yourTurn: "Ваше слово", waiting: "Ждём", over: "Игра окончена",
    winners: "Победа", won: "Вы победили!", open: "Стол открыт", start: "Начать", join: "Сесть за стол",
    invite: "Пригласить по ссылке", copied: "Ссылка скопирована. Она действует один раз.", addBundled: "Посадить встроенного игрока", undo: "Попросить отменить",
    agree: "Согласиться", decline: "Отказать", wants: "просит", undoWord: "отмену хода", otherMotion: "решение стола",
    connected: "На связи", reconnecting: "Соединяемся снова…", timeLeft: "Осталось", seconds: "с",
    choose: "Выберите карты", chosen: "выбрано", clear: "Снять выбор", rules: "Почему?", legalHint: "Что можно сделать",
    notAllowed: "Нельзя", play: "Играть", opponents: "Соперники", game: "Игра", startGame: "Играть сейчас", name: "Ваше имя",
    again: "Ещё раз", replay: "Повтор", sound: "Звуки", newest: "Новые открытые игры", from: "из", forTarget: "для",
    keep: "оставить", give: "отдать", take: "взять", inventionName: "Имя вашего изобретения", invention: "Изобретение", spoiled: "испорчено",
    noAccess: "Такой игры нет, или вам нельзя о ней знать.", failed: "Не получилось", home: "Начало", log: "Что было",
    block: "Вашего гостя переманивают", refuses: "не терпит", craves: "желает", favourite: "Любимое", worth: "с", lap: "круг",
    back: "Назад", pickMore: "выберите от {least} до {most}", needs: "нужно", scoreboard: "Счёт", skip: "К столу",
    nobody: "никого", watching: "Вы смотрите", levels: "Уровень", packetMark: "пакетик", version: "Версия", previous: "Шаг назад", next: "Шаг вперёд", speed: "Показывать, шаг за",
  },
};

/**
 * Give `say(key, values)` for a language; English stands in for what is missing. `more` are the
 * words of one page, shaped as those of all pages: language, key, text.
 */
export function words(language, more = {}) {
  const tables = [more[language], ALL[language], more.en, ALL.en].filter(Boolean);
  return (key, values = {}) => {
    const text = tables.find((table) => key in table)?.[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  };
}
