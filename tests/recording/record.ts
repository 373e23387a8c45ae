import { cpSync, readFileSync, writeFileSync } from "node:fs";
import type { Recorded } from "./files";
import { recordingOf } from "./normalize";
import type { Plan } from "./plan";
import { play } from "./play";
import { type Queries, queriesFor, schemaOf } from "./queries";
import { readAll } from "./reads";
import { Server } from "./server";

/** The keys of a folder's environments lie next to the folder. */
const keysFile = (folder: string): string => `${folder}.keys.json`;

/** Plays a plan on an empty folder, then reads everything. Without `queries`, the server's own schema makes them. */
export async function record(
	plan: Plan,
	folder: string,
	{ program, queries }: { readonly program?: string; readonly queries?: Queries } = {},
): Promise<Recorded> {
	const server = await Server.start(folder, program);
	try {
		const responses = await play(plan, server);
		writeFileSync(keysFile(folder), JSON.stringify([...server.keys]));
		const asked = queries ?? queriesFor(await schemaOf(server));
		const { entries, names } = await readAll(plan, asked, server);
		return { plan, queries: asked, recording: recordingOf([...responses, ...entries], names) };
	} finally {
		await server.stop();
	}
}

/** Opens a copy of a recorded folder, which upgrades it, and reads everything. */
export async function recordUpgraded(
	{ plan, queries }: Pick<Recorded, "plan" | "queries">,
	folder: string,
	copy: string,
	program?: string,
): Promise<Recorded> {
	cpSync(folder, copy, { recursive: true });
	const keys = new Map<string, string>(JSON.parse(readFileSync(keysFile(folder), "utf8")));
	const server = await Server.start(copy, program, keys);
	try {
		const { entries, names } = await readAll(plan, queries, server);
		return { plan, queries, recording: recordingOf(entries, names) };
	} finally {
		await server.stop();
	}
}
