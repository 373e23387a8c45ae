import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { writeWhole } from "../../../kernel/storage/disk";
import { FileUnreadable } from "../../../kernel/storage/failures";
import { unknownName } from "../fingerprints/fingerprint-set";

const Stretch = Type.Object({
	/** Including both ends. */
	firstEvent: Type.Integer({ minimum: 1 }),
	lastEvent: Type.Integer({ minimum: 1 }),
	/** No event of the stretch belongs to a customer with a higher number in the log: that customer came later. */
	customersTo: Type.Integer({ minimum: 0 }),
});
type Stretch = Static<typeof Stretch>;

const Stored = Type.Object({ stretches: Type.Array(Stretch) });

/** A stretch, and the reason why it is unreadable. */
interface Unread extends Stretch {
	readonly error: FileUnreadable;
}

/**
 * The stretches of the log whose fingerprints are in an unreadable file of the archive. An event without a match may be
 * a duplicate of one of theirs, so it waits until the file is readable again.
 */
export class UnknownEvents {
	readonly #path: string;
	readonly #stretches: Unread[] = [];
	/** Runs of fingerprints are complete up to this event. */
	readonly trustedTo: number;

	/** `read` reads a block of the log by its first event, and throws `FileUnreadable` if it cannot. */
	constructor(folder: string, read: (firstEvent: number) => void) {
		this.#path = join(folder, unknownName);
		const stored = readStored(this.#path);
		const readable: number[] = [];
		for (const stretch of stored ?? []) {
			const error = failureOf(() => read(stretch.firstEvent));
			if (error) this.#stretches.push({ ...stretch, error });
			else readable.push(stretch.firstEvent);
		}
		this.trustedTo = stored ? Math.min(Number.POSITIVE_INFINITY, ...readable) - 1 : 0;
	}

	get isEmpty(): boolean {
		return this.#stretches.length === 0;
	}

	/** Adds a block that follows all others. */
	add({ firstEvent, lastEvent, customersTo, error }: Unread): void {
		const last = this.#stretches.at(-1);
		if (last?.lastEvent === firstEvent - 1) this.#stretches[this.#stretches.length - 1] = { ...last, lastEvent };
		else this.#stretches.push({ firstEvent, lastEvent, customersTo, error });
	}

	/** Returns why an event of a customer may be a duplicate; undefined if it cannot be. */
	failureFor(customer: number): FileUnreadable | undefined {
		return this.#stretches.find(({ customersTo }) => customer <= customersTo)?.error;
	}

	/** Whether a stretch can be read again. */
	hasReadable(read: (firstEvent: number) => void): boolean {
		return this.#stretches.some(({ firstEvent }) => failureOf(() => read(firstEvent)) === undefined);
	}

	/** Retains the stretches for which `isNeeded` returns true. */
	filter(isNeeded: (stretch: Stretch) => boolean): void {
		this.#stretches.splice(0, this.#stretches.length, ...this.#stretches.filter(isNeeded));
	}

	/**
	 * Writes the stretches before a run that covers them is written: a later start reads only the log after the runs.
	 */
	save(): void {
		const stretches = this.#stretches.map(({ error: _, ...stretch }) => stretch);
		if (stretches.length > 0) writeWhole(this.#path, JSON.stringify({ stretches }));
		else rmSync(this.#path, { force: true });
	}
}

/** Returns undefined if the file is damaged. */
function readStored(path: string): readonly Stretch[] | undefined {
	if (!existsSync(path)) return [];
	const read = parse(readFileSync(path, "utf8"));
	if (Value.Check(Stored, read)) return read.stretches;
	rmSync(path);
	return undefined;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function failureOf(read: () => void): FileUnreadable | undefined {
	try {
		read();
		return undefined;
	} catch (error) {
		if (error instanceof FileUnreadable) return error;
		throw error;
	}
}
