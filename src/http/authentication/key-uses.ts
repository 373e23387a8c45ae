import { systemActor } from "../../areas/access/rules.actors";
import type { Write } from "../../server/writer-calls";
import type { Log } from "../log";
import type { Authenticator } from "./authenticator";

/** The use of keys is recorded to the minute, and written in batches. */
const everyMs = 60_000;
const keysAtOnceMax = 500;

/** Keys belong to environments; the record of their use does not. */
const nobody = systemActor("");

export interface KeyUsesOptions {
	readonly authenticator: Authenticator;
	readonly write: Write;
	readonly log: Log;
}

/** Records once a minute, and at the end, which keys and sessions this thread has authenticated. Returns a function that stops it. */
export function noteKeyUses({ authenticator, write, log }: KeyUsesOptions): () => void {
	const note = async (): Promise<void> => {
		const used = authenticator.takeUsed();
		const sessions = authenticator.takeUsedSessions();
		try {
			for (let at = 0; at < used.length; at += keysAtOnceMax)
				await write(nobody, "noteKeyUses", used.slice(at, at + keysAtOnceMax));
			for (let at = 0; at < sessions.length; at += keysAtOnceMax)
				await write(nobody, "noteSessionUses", sessions.slice(at, at + keysAtOnceMax));
		} catch (error) {
			// A lost record is harmless: the next call is recorded again.
			log.debug({ err: error }, "when keys and sessions were used was not noted");
		}
	};
	const noting = setInterval(() => void note(), everyMs);
	noting.unref();
	return () => {
		clearInterval(noting);
		void note();
	};
}
