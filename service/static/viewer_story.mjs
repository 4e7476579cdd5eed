// The story that a log tells: what counts, what was undone, and where one can jump to.

const MARKS = {
  turn_began: "turn", claimed: "claim", poach_offered: "claim", invented: "claim", ruled: "ruling", rewound: "ruling",
};
export const KINDS = ["turn", "claim", "ruling"];

/** Read the story off all events, oldest first; the last of them is where the game stands. */
export function storyOf(records) {
  const last = records.length;
  const parent = (version) => records[version - 1].parent;
  const counts = new Set();
  for (let version = last; version > 0; version = parent(version)) counts.add(version);
  const branches = branchesOf(records, counts);
  const branchOf = (version) => branches.find(({ from, to }) => from <= version && version <= to) ?? null;
  const after = (version) => {
    for (let next = version + 1; next <= last; next += 1) if (counts.has(next)) return next;
    return null;
  };
  const marks = records.filter(({ event }) => MARKS[event.type]).map(({ version, event }) =>
    ({ version, kind: MARKS[event.type], seat: event.seat ?? null }));
  return {
    last, counts, branches, branchOf, parent, marks,
    /** The version before: the one that it goes on from. Null before the first. */
    previous: (version) => parent(version) || null,
    /** The version after, on the line that counts, or in an undone one as it went on. */
    next: (version) => (counts.has(version) ? after(version) : version < last ? version + 1 : null),
    /** Where an undone line is left for what counts. */
    leave: (branch) => after(branch.to),
    /** The marks of a kind that lie on the way of whoever is at a version. */
    onTheWay(version) {
      const here = branchOf(version);
      return marks.filter((mark) => (counts.has(mark.version) ? !ruledAndBack(records, mark.version)
        : here !== null && here.from <= mark.version && mark.version <= here.to));
    },
    /** The versions that lead to one, itself included, oldest first. */
    lineTo(version) {
      const line = [];
      for (let at = version; at > 0; at = parent(at)) line.push(at);
      return line.reverse();
    },
  };
}

/** A ruling that a rewind follows is told by the rewind. */
const ruledAndBack = (records, version) => records[version]?.event.type === "rewound";

/** The undone lines: runs of versions of which each goes on from the one before. */
function branchesOf(records, counts) {
  const branches = [];
  for (const { version, parent } of records) {
    if (counts.has(version)) continue;
    const open = branches.at(-1);
    if (open && open.to === version - 1 && parent === version - 1) open.to = version;
    else branches.push({ from: version, to: version, fork: parent, lane: 1 });
  }
  for (const branch of branches) {
    const within = branches.find(({ from, to }) => from <= branch.fork && branch.fork <= to);
    branch.lane = within ? within.lane + 1 : 1;
  }
  return branches;
}

/** Find the nearest mark of a kind before (-1) or after (1) a version. */
export function jump(story, version, kind, way) {
  const ahead = story.onTheWay(version).filter((mark) => mark.kind === kind && (mark.version - version) * way > 0);
  return (way > 0 ? ahead[0] : ahead.at(-1))?.version ?? null;
}

/** Read the claims off events: what is shown of them, and how they came out. */
export function claimsOf(records, counts) {
  const claims = [];
  let open = null;
  for (const { version, event } of records) {
    if (event.type === "claimed") {
      const laid = event.laid.value ?? null;
      open = {
        seat: event.seat, version, declared: event.declared, count: event.count, laid,
        truthful: laid && truthful(event.declared, laid), caller: null, settled: null, undone: !counts.has(version),
      };
      claims.push(open);
    } else if (open && event.type === "called") {
      Object.assign(open, { laid: event.laid, truthful: event.truthful, caller: event.seat, settled: version });
      open = null;
    } else if (open && event.type === "drawn" && event.reason === "claim") {
      open.settled = version;
      open = null;
    } else if (event.type === "rewound") open = null;
  }
  return claims;
}

const truthful = (declared, laid) => (declared === "pair" ? laid[0] === laid[1] : laid[0] === declared);
