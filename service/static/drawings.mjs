// Our own small drawings of food, one language of shapes for all games: 64 by 64, round, warm.

import { html } from "./vendor/htm-preact.mjs";

const line = "none";
const drawings = {
  // Stir Fry Eighteen
  noodles: () => html`<path d="M8 32h48c0 14-10 22-24 22S8 46 8 32z" fill="#c9503a"/><path d="M12 32c2-14 10-4 10-14s8 6 10-4 8 8 12 0 8 8 8 18z" fill="#f4c95d"/><path d="M16 31c4-9 9-2 12-9m2 9c4-9 9-2 12-10m3 10c2-6 4-6 6-9" stroke="#d99a2b" stroke-width="2.5" fill=${line}/><path d="M40 6l14 22M47 4l10 22" stroke="#8a5a36" stroke-width="3"/>`,
  mushrooms: () => html`<path d="M6 34C6 18 18 10 32 10s26 8 26 24c0 6-52 6-52 0z" fill="#b9815a"/><path d="M24 37h16c0 8 3 12 3 15 0 5-22 5-22 0 0-3 3-7 3-15z" fill="#f6e6cf"/><circle cx="22" cy="22" r="4" fill="#f6e6cf"/><circle cx="38" cy="18" r="5" fill="#f6e6cf"/><circle cx="48" cy="28" r="3" fill="#f6e6cf"/>`,
  soy_sauce: () => html`<path d="M26 4h12v12c8 4 10 10 10 18v20c0 4-2 6-6 6H22c-4 0-6-2-6-6V34c0-8 2-14 10-18z" fill="#4a2416"/><path d="M25 3h14v8H25z" fill="#d8432e"/><path d="M18 34h28v16H18z" fill="#ffe9c7"/><path d="M32 36c5 6 5 11 0 11s-5-5 0-11z" fill="#4a2416"/>`,
  ginger: () => html`<path d="M8 38c-2-10 8-12 14-10 0-10 14-16 18-6 8-8 20 2 14 10 6 8-4 16-12 12-4 10-16 10-20 4-6 2-13-2-14-10z" fill="#e3b878"/><path d="M18 30c2 4 2 8 0 12m14-20c3 5 3 10 0 16m14-8c2 3 2 7 0 9" stroke="#b98a45" stroke-width="2.5" fill=${line}/>`,
  green_onion: () => html`<path d="M28 60c-6-10-4-18-2-24L16 6l14 20 2-22 6 22L52 8 38 36c4 8 4 16 0 24z" fill="#5fae4b"/><path d="M26 40h13c3 8 1 14-1 20H28c-4-8-3-14-2-20z" fill="#f2f7df"/><path d="M30 60v4m4-4v4" stroke="#d8cda9" stroke-width="2"/>`,
  shrimp: () => html`<path d="M50 16C30 4 8 18 10 36c2 16 20 22 32 14l-4-10c-8 4-16 0-16-8s10-14 22-8z" fill="#f58a6b"/><path d="M24 14l4 12M14 26l10 6m-12 10l12-4m2 14l4-10" stroke="#d4593e" stroke-width="3"/><path d="M40 40l12 2-6 6 6 6-14-4z" fill="#e8694c"/><circle cx="44" cy="17" r="2.5" fill="#3b1d14"/><path d="M50 15c6-3 8-6 10-11m-10 12c6 0 9-1 12-3" stroke="#d4593e" stroke-width="2" fill=${line}/>`,
  pork: () => html`<path d="M8 34C6 18 24 8 38 12c16 4 22 18 16 30-6 10-14 4-22 8-10 4-22 0-24-16z" fill="#e88f8b"/><path d="M14 34c0-12 12-18 23-15 12 3 16 12 12 20-4 6-10 3-18 6-8 2-17-2-17-11z" fill="#f8c4b8"/><path d="M22 32c4-4 9-4 13-1m-9 8c5-3 10-2 14-5" stroke="#e88f8b" stroke-width="3" fill=${line}/><circle cx="46" cy="27" r="4" fill="#fff3e6"/>`,
  chicken: () => html`<path d="M26 8c16-4 30 8 28 24-2 12-14 18-24 14l-8 8-10-10 8-8C14 26 16 12 26 8z" fill="#d98a3d"/><path d="M30 14c8-2 16 3 17 11" stroke="#f7c67f" stroke-width="4" fill=${line} stroke-linecap="round"/><path d="M18 46l-8 8M10 48a5 5 0 10-2 8 5 5 0 108 2" fill="#fff3e0" stroke="#fff3e0" stroke-width="4"/>`,
  tofu: () => html`<path d="M10 24l24-12 22 10v22L32 58 10 46z" fill="#f4ecd8"/><path d="M10 24l22 12 24-14M32 36v22" stroke="#d5c7a3" stroke-width="2.5" fill=${line}/><circle cx="22" cy="40" r="2" fill="#d5c7a3"/><circle cx="44" cy="40" r="2.5" fill="#d5c7a3"/>`,
  // tastes and ingredients
  bacon: () => html`<path d="M8 20c10-10 14 8 24 0s14-6 24 0v24c-10-8-14 6-24 2s-14 8-24-2z" fill="#c8473c"/><path d="M8 28c10-10 14 8 24 0s14-6 24 0v7c-10-8-14 6-24 0s-14 10-24 0z" fill="#f8d6c4"/>`,
  cake: () => html`<path d="M6 36l34-20c10 2 18 10 18 20v18H6z" fill="#f7d9a8"/><path d="M6 36l34-20c10 2 18 10 18 20z" fill="#f39bb0"/><path d="M6 44h52" stroke="#fff4e4" stroke-width="5"/><circle cx="40" cy="15" r="6" fill="#d8323c"/>`,
  chocolate: () => html`<rect x="10" y="8" width="44" height="48" rx="5" fill="#5a2e1a"/><path d="M14 12h16v12H14zm20 0h16v12H34zM14 28h16v12H14zm20 0h16v12H34z" fill="#7c442a"/><path d="M10 42l22-6 22 8v10c0 2-2 4-4 4H14c-2 0-4-2-4-4z" fill="#e9b949"/>`,
  coffee: () => html`<path d="M10 24h36v16c0 10-8 16-18 16s-18-6-18-16z" fill="#fff3e2"/><ellipse cx="28" cy="25" rx="16" ry="5" fill="#5a3119"/><path d="M46 28c14-4 14 16-2 14" stroke="#fff3e2" stroke-width="5" fill=${line}/><path d="M22 16c-4-5 4-6 0-12m12 12c-4-5 4-6 0-12" stroke="#b99b80" stroke-width="3" fill=${line}/>`,
  cookie: () => html`<circle cx="32" cy="32" r="24" fill="#d9a05b"/><circle cx="24" cy="24" r="4" fill="#5a2e1a"/><circle cx="40" cy="26" r="5" fill="#5a2e1a"/><circle cx="28" cy="42" r="5" fill="#5a2e1a"/><circle cx="44" cy="42" r="3" fill="#5a2e1a"/>`,
  fruit: () => html`<path d="M32 14c-4-6-22-4-22 16 0 16 12 26 18 26 3 0 2-2 4-2s1 2 4 2c6 0 18-10 18-26 0-20-18-22-22-16z" fill="#e0393e"/><path d="M32 16c0-6 2-10 6-12" stroke="#6b4423" stroke-width="3" fill=${line}/><path d="M36 10c6-6 12-4 14-2-4 6-10 6-14 2z" fill="#63a843"/><path d="M18 24c-3 4-3 8-2 12" stroke="#ff9a8f" stroke-width="4" fill=${line} stroke-linecap="round"/>`,
  ice_cream: () => html`<path d="M18 30h28L32 62z" fill="#d9a05b"/><path d="M21 36l14 18M43 36L29 54" stroke="#b97c38" stroke-width="2"/><circle cx="24" cy="24" r="11" fill="#f7a8c0"/><circle cx="40" cy="24" r="11" fill="#fff1d3"/><circle cx="32" cy="14" r="11" fill="#9c5b3c"/>`,
  marshmallow: () => html`<rect x="10" y="24" width="26" height="28" rx="9" fill="#fff6f4"/><ellipse cx="23" cy="27" rx="13" ry="6" fill="#ffe0e3"/><rect x="32" y="14" width="22" height="26" rx="8" fill="#ffd3dd"/><ellipse cx="43" cy="17" rx="11" ry="5" fill="#fff0f3"/>`,
  nuts: () => html`<path d="M12 28c0-12 10-16 20-16s20 4 20 16z" fill="#8a5a30"/><path d="M14 30h36c0 14-8 26-18 28-10-2-18-14-18-28z" fill="#c98f4e"/><path d="M32 12V4" stroke="#6b4423" stroke-width="4"/><path d="M22 36c0 6 3 12 6 15" stroke="#edc388" stroke-width="4" fill=${line} stroke-linecap="round"/>`,
  pastry: () => html`<path d="M4 44C4 20 20 10 32 10s28 10 28 34c-6 6-12 2-14-4-4-6-24-6-28 0-2 6-8 10-14 4z" fill="#e0a14a"/><path d="M22 14c-2 8-2 14 0 22m10-26v26m10-22c2 8 2 14 0 22M12 24c0 6 2 12 4 17m36-17c0 6-2 12-4 17" stroke="#b9752a" stroke-width="3" fill=${line}/>`,
  pie: () => html`<path d="M6 32h52L50 54H14z" fill="#c98f4e"/><path d="M4 32c4-18 14-22 28-22s24 4 28 22z" fill="#e9b565"/><path d="M18 30c2-8 4-12 8-16m20 16c-2-8-4-12-8-16M10 24h44" stroke="#b9752a" stroke-width="3" fill=${line}/><circle cx="32" cy="24" r="5" fill="#b52b40"/>`,
  pudding: () => html`<path d="M16 16h32l8 34H8z" fill="#f4cf73"/><path d="M16 16h32l3 12c-4 5-6-2-10 2s-6 2-9-1-6 4-9 0-6 3-10-1z" fill="#8a4a20"/><ellipse cx="32" cy="51" rx="28" ry="6" fill="#fff3e2"/>`,
  spices: () => html`<path d="M14 14l30 30" stroke="#9c5524" stroke-width="9" stroke-linecap="round"/><path d="M14 14l30 30" stroke="#c98046" stroke-width="3"/><path d="M46 10l4 9 10 1-8 6 3 10-9-6-9 6 3-10-8-6 10-1z" fill="#b4632b"/><circle cx="46" cy="22" r="4" fill="#6b3414"/><circle cx="16" cy="48" r="5" fill="#7a3b18"/><circle cx="28" cy="54" r="4" fill="#7a3b18"/>`,
  veggies: () => html`<path d="M24 22c10-4 20 4 18 12-4 10-18 22-32 26C12 46 14 28 24 22z" fill="#f08a34"/><path d="M24 30l8 4m-14 4l7 4m-9 4l5 3" stroke="#c9651b" stroke-width="2.5"/><path d="M34 24C30 12 36 6 38 4c2 6 2 10 0 14 6-6 12-6 18-4-4 8-12 12-22 10z" fill="#5fae4b"/>`,
  sugar: () => html`<path d="M10 36l12-6 12 6v14l-12 6-12-6zM32 26l11-6 11 6v14l-11 6-9-5v-5l-2-3z" fill="#fffdf8"/><path d="M10 36l12 6 12-6M22 42v14M32 26l11 6 11-6M43 32v14" stroke="#cdbfae" stroke-width="2" fill=${line}/><path d="M16 10l2 5 5 2-5 2-2 5-2-5-5-2 5-2z" fill="#ffd36b"/>`,
  eggs: () => html`<path d="M24 12c9 0 16 14 16 24s-7 17-16 17S8 46 8 36s7-24 16-24z" fill="#fff4e2"/><path d="M44 24c7 0 13 11 13 18s-6 13-13 13-13-6-13-13 6-18 13-18z" fill="#e9b98d"/><circle cx="22" cy="38" r="7" fill="#f7b733"/>`,
  flour: () => html`<path d="M14 14h36l4 42c0 4-44 4-44 0z" fill="#efe3cf"/><path d="M14 14c4-8 32-8 36 0-6 4-30 4-36 0z" fill="#fffaf0"/><path d="M32 26v22m0-14c-6 0-8-4-8-8 5 0 8 3 8 8zm0 0c6 0 8-4 8-8-5 0-8 3-8 8zm0 10c-6 0-8-4-8-8 5 0 8 3 8 8zm0 0c6 0 8-4 8-8-5 0-8 3-8 8z" fill="#d39b3a" stroke="#b9812a"/>`,
  butter: () => html`<path d="M8 32l30-14 18 8v16L26 56 8 48z" fill="#f9d65c"/><path d="M8 32l18 8 30-14M26 40v16" stroke="#d9ad2b" stroke-width="2.5" fill=${line}/>`,
  milk: () => html`<path d="M22 6h20v10l8 12v26c0 4-2 5-5 5H19c-3 0-5-1-5-5V28l8-12z" fill="#f4fbff"/><path d="M14 34c8-5 12 4 18 0s10-4 18 0v20c0 4-2 5-5 5H19c-3 0-5-1-5-5z" fill="#bfe0f2"/><path d="M21 5h22v6H21z" fill="#4a90c2"/>`,
  cream: () => html`<path d="M12 42c-6-12 8-14 8-18s8-6 12-20c4 14 14 14 12 22 10 2 12 12 6 16z" fill="#fff8ee"/><path d="M20 30c8 4 18 2 24-2M16 40c10 4 24 3 34-2" stroke="#e5d3b8" stroke-width="3" fill=${line}/><path d="M10 42h44l-6 16H16z" fill="#c9707d"/>`,
  berries: () => html`<circle cx="22" cy="38" r="13" fill="#5b4ba8"/><circle cx="42" cy="40" r="13" fill="#c92f56"/><circle cx="32" cy="24" r="12" fill="#7e3f98"/><path d="M30 14c4-8 12-8 16-6-2 6-10 8-16 6z" fill="#63a843"/><circle cx="18" cy="34" r="3" fill="#a99be0"/><circle cx="38" cy="36" r="3" fill="#f28aa3"/>`,
  honey: () => html`<path d="M14 18h36c6 8 6 32 0 40H14c-6-8-6-32 0-40z" fill="#f2a52b"/><path d="M12 8h40v11H12z" fill="#8a5a30"/><path d="M22 32l7-4 7 4v8l-7 4-7-4zm14 8l6-4 7 4v8l-7 4-6-4z" fill="#ffd978"/>`,
  apples: () => html`<path d="M32 18c-4-6-22-4-22 14 0 14 12 24 18 24 3 0 2-2 4-2s1 2 4 2c6 0 18-10 18-24 0-18-18-20-22-14z" fill="#8cbf3f"/><path d="M32 18c0-6 2-10 6-12" stroke="#6b4423" stroke-width="3" fill=${line}/><path d="M44 26c4 4 4 8 3 12" stroke="#cfe89a" stroke-width="4" fill=${line} stroke-linecap="round"/>`,
  lemon: () => html`<path d="M8 40c-4-4 0-8 3-9C12 18 24 10 36 12c8 0 12-4 16 0s0 8 0 14c0 12-10 24-24 24-8 0-12 4-16 0s-1-7-4-10z" fill="#f9dc4a"/><path d="M20 26c4-6 9-8 14-8" stroke="#fff6b8" stroke-width="4" fill=${line} stroke-linecap="round"/>`,
  // Memesio's special cards
  memesio: () => html`<path d="M12 24L14 8l12 8h12l12-8 2 16c4 20-6 32-20 32S8 44 12 24z" fill="#f0a04b"/><path d="M14 20c-4-14 36-14 36 0-8 4-28 4-36 0z" fill="#fffaf2"/><circle cx="24" cy="34" r="3.5" fill="#3b2416"/><circle cx="40" cy="34" r="3.5" fill="#3b2416"/><path d="M29 40h6l-3 4zm3 4c-2 4-6 4-8 2m8-2c2 4 6 4 8 2" stroke="#3b2416" stroke-width="2" fill="#d8566a"/>`,
  nyamonas: () => html`<path d="M12 24L14 8l12 8h12l12-8 2 16c4 20-6 32-20 32S8 44 12 24z" fill="#6f6a7d"/><path d="M20 32h9m6 0h9" stroke="#f7e27b" stroke-width="4" stroke-linecap="round"/><path d="M29 40h6l-3 4zm3 4v5" stroke="#2b2433" stroke-width="2" fill="#e78ba0"/><path d="M8 42l12-2m-11 9l12-5m35-2l-12-2m11 9l-12-5" stroke="#dcd6e8" stroke-width="1.5"/>`,
  maiti: () => html`<ellipse cx="32" cy="40" rx="14" ry="12" fill="#7a4a33"/><ellipse cx="14" cy="28" rx="6" ry="8" fill="#7a4a33"/><ellipse cx="26" cy="17" rx="6" ry="9" fill="#7a4a33"/><ellipse cx="40" cy="17" rx="6" ry="9" fill="#7a4a33"/><ellipse cx="51" cy="28" rx="6" ry="8" fill="#7a4a33"/>`,
  packet: () => html`<path d="M14 12h36l4 44H10z" fill="#7fb38a"/><path d="M14 12l6-6 6 6 6-6 6 6 6-6 6 6z" fill="#5a8e66"/><ellipse cx="32" cy="38" rx="13" ry="9" fill="#3f6b4a"/><path d="M24 34l8-4 8 4-2 8h-12z" fill="#a6d3ae"/><circle cx="48" cy="36" r="4" fill="#3f6b4a"/>`,
  ladle: () => html`<path d="M46 4c6 0 8 4 6 8L36 40" stroke="#9a8f88" stroke-width="5" fill=${line} stroke-linecap="round"/><path d="M8 36h32c2 12-6 22-17 22S6 48 8 36z" fill="#b9aea6"/><ellipse cx="24" cy="37" rx="16" ry="5" fill="#f2a52b"/>`,
};

const unknown = () => html`<circle cx="32" cy="32" r="20" fill="#c9a27a"/>`;

/** Draw one thing, as the inside of an SVG of 64 by 64. */
export function shape(name) {
  return (drawings[name] || unknown)();
}

/** Draw one thing; what it shows must be said beside it. */
export function Drawing({ name, size = 64 }) {
  return html`<svg class="drawing" viewBox="0 0 64 64" width=${size} height=${size} aria-hidden="true">${shape(name)}</svg>`;
}

const PLACES = {
  1: [[10, 8, 0.95]],
  2: [[2, 4, 0.68], [32, 22, 0.62]],
  3: [[20, 0, 0.58], [0, 24, 0.55], [38, 24, 0.55]],
  4: [[4, 0, 0.5], [38, 0, 0.5], [0, 28, 0.5], [38, 28, 0.5]],
};

/** Draw several things on one plate. */
export function Plate({ names }) {
  const shown = names.slice(0, 4);
  return html`<svg class="drawing" viewBox="0 0 80 70" aria-hidden="true">
    <ellipse cx="40" cy="54" rx="38" ry="13" class="plate-rim" /><ellipse cx="40" cy="52" rx="28" ry="8" class="plate-well" />
    ${shown.map((name, index) => {
      const [x, y, scale] = PLACES[shown.length][index];
      return html`<g key=${index} transform="translate(${x} ${y}) scale(${scale})">${shape(name)}</g>`;
    })}</svg>`;
}

const SKINS = ["#f6d3b3", "#e8b98d", "#c98f62", "#9c6a44", "#fbe3cf"];
const HAIRS = ["#3b2416", "#8a5a30", "#d9a441", "#b9b2ac", "#a33c24"];

function traits(name) {
  let sum = 7;
  for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return sum;
}

/** Draw a guest: a face of its own, made from its name. */
export function Face({ name }) {
  const many = traits(name);
  const hair = HAIRS[(many >> 2) % 5];
  return html`<svg class="drawing" viewBox="0 0 64 64" aria-hidden="true">
    <path d="M6 64c2-16 14-20 26-20s24 4 26 20z" class="suit-cloth" />
    ${many % 3 === 0 && html`<path d="M12 44C6 10 58 10 52 44z" fill=${hair} />`}
    <circle cx="32" cy="28" r="17" fill=${SKINS[many % 5]} />
    <path d="M14 28c0-26 36-26 36 0-6-10-10-10-18-10s-12 0-18 10z" fill=${hair} />
    ${many % 4 === 1 && html`<path d="M12 18h40M20 18V6h24v12z" fill=${hair} stroke=${hair} stroke-width="4" />`}
    <circle cx="25" cy="29" r="2.4" fill="#2b1a10" /><circle cx="39" cy="29" r="2.4" fill="#2b1a10" />
    ${many % 5 === 2 && html`<path d="M19 29a6 6 0 1012 0 6 6 0 10-12 0m14 0a6 6 0 1012 0 6 6 0 10-12 0" fill="none" stroke="#2b1a10" stroke-width="1.6" />`}
    <path d=${many % 2 ? "M24 36c4 6 12 6 16 0z" : "M25 37c4 4 10 4 14 0"} fill=${many % 2 ? "#b5322f" : "none"} stroke="#b5322f" stroke-width="2" stroke-linecap="round" />
  </svg>`;
}
