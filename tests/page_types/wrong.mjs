// A script that uses the API wrongly; each wrong line says so. It is checked, never run.

import { Client } from "./api.mjs";

const client = new Client();
const game = location.pathname;
const path = /** @type {const} */ (`/v1/games/${game}`);

export async function misuse() {
  const view = await client.get(path);
  console.log(view.status, view.motions.length);
  console.log(view.motoins.length); // wrong: no such field
  if (view.status === "finished") return; // wrong: no such status
  await client.post(`${path}/motions`, { motion: { type: "undo", to: 3 } });
  await client.post(`${path}/motions`, { motion: { type: "undo", too: 3 } }); // wrong: no such field of a motion
  await client.post(`${path}/rulings`, { ruling: { type: "note" } }); // wrong: a ruling needs a reason
  const { rulings } = await client.get(`${path}/rulings`);
  for (const ruling of rulings) console.log(ruling.version, ruling.text, ruling.why); // wrong: no such field of a ruling
  const { looks } = await client.get(`${path}/look`); // wrong: no such path
  console.log(looks);
}
