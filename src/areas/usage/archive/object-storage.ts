import { codeOf } from "../../../kernel/errors";
import { FileOutOfReach, FileUnreadable } from "../../../kernel/storage/failures";
import type { ArchiveFile, StoredFile } from "./messages";
import { locationOf, objectName, type StorageSettings } from "./rules.storage";

/** The time limit for a response, for its next piece, and for a body of this many bytes. */
const patienceMsDefault = 15_000;
const bytesPerMsMin = 64;

/** The pause after a failure, twice as long after each further failure. */
const pauseMsMin = 1_000;
const pauseMsMax = 60_000;

/** Larger files are sent in parts of this size, one after the other. */
const partBytes = 16 * 1024 * 1024;

/** The storage's error codes for a wrong setting, which waiting does not fix. */
const refusals =
	/^(AccessDenied|AccountProblem|AllAccessDisabled|Expired\w*|Forbidden|Invalid\w*|NoSuchBucket|PermanentRedirect|Signature\w*|Unauthorized\w*)$/;

/** The name of an object, and the size and checksum that it must have. */
export type ObjectFile = Pick<ArchiveFile, "name" | "bytes" | "sha256">;

/** The most objects that a list returns: pages of a thousand. */
const pagesMax = 100;

export interface ObjectStorageOptions {
	readonly patienceMs?: number;
	readonly pauseMsMin?: number;
	/** A monotonic clock. */
	readonly clockMs?: () => number;
}

/** Stores files of the archive as objects of a bucket. After a failure it repeats that failure for a growing time. */
export class ObjectStorage {
	readonly location: string;
	readonly #settings: Omit<StorageSettings, "cacheBytesMax">;
	readonly #client: Bun.S3Client;
	readonly #patienceMs: number;
	readonly #pauseMsMin: number;
	readonly #clockMs: () => number;
	#failures = 0;
	#failed: FileOutOfReach | undefined;
	#leftAloneUntilMs = Number.NEGATIVE_INFINITY;

	constructor(settings: Omit<StorageSettings, "cacheBytesMax">, options: ObjectStorageOptions = {}) {
		const { bucket, endpoint, region, accessKeyId, secretAccessKey } = settings;
		this.location = locationOf(settings);
		this.#settings = settings;
		// Without an explicit empty token, the client would take one from the environment: that of another session.
		this.#client = new Bun.S3Client({ bucket, endpoint, region, accessKeyId, secretAccessKey, sessionToken: "" });
		this.#patienceMs = options.patienceMs ?? patienceMsDefault;
		this.#pauseMsMin = options.pauseMsMin ?? pauseMsMin;
		this.#clockMs = options.clockMs ?? (() => performance.now());
	}

	/** The remaining pause in milliseconds. */
	get pauseMs(): number {
		return Math.max(0, this.#leftAloneUntilMs - this.#clockMs());
	}

	/**
	 * Returns bytes of a file, from `from` up to, but not including, `to`. FileOutOfReach; FileUnreadable if there is
	 * no such object, or it is shorter.
	 */
	async part(file: StoredFile, from: number, to: number): Promise<Uint8Array> {
		const bytes = await this.#request((patienceMs) =>
			inTime(this.#object(file).slice(from, to).bytes(), patienceMs + (to - from) / bytesPerMsMin),
		);
		if (bytes === undefined || bytes.length !== to - from) throw this.#missing(file);
		return bytes;
	}

	/** Writes a file as an object. Throws FileOutOfReach. */
	async put(file: ObjectFile, path: string): Promise<void> {
		const written = await this.#request((patienceMs) =>
			inTime(
				this.#client.write(this.#keyOf(file), Bun.file(path), { partSize: partBytes, queueSize: 1 }),
				patienceMs + file.bytes / bytesPerMsMin,
			),
		);
		// A missing object is a result for readers only.
		if (written === undefined) throw this.#unreachable("NoSuchKey", "when a file was to be written");
	}

	/**
	 * Deletes an object; a missing object is no failure. Returns the failure: a key without the right to delete does
	 * not pause the storage.
	 */
	async remove(file: ObjectFile): Promise<FileUnreadable | undefined> {
		try {
			await inTime(this.#object(file).delete(), this.#patienceMs);
			return undefined;
		} catch (error) {
			const code = codeOf(error) || "UnknownError";
			if (code === "NoSuchKey") return undefined;
			return new FileUnreadable(`${this.addressOf(file)} could not be deleted (${code})`, { cause: error });
		}
	}

	/** Returns a text next to the files; undefined if there is none. Throws FileOutOfReach. */
	async readText(name: string): Promise<string | undefined> {
		return await this.#request((patienceMs) =>
			inTime(this.#client.file(`${this.#settings.prefix}${name}`).text(), patienceMs),
		);
	}

	/** Writes a text next to the files. Throws FileOutOfReach. */
	async writeText(name: string, text: string): Promise<void> {
		const written = await this.#request((patienceMs) =>
			inTime(this.#client.write(`${this.#settings.prefix}${name}`, text), patienceMs),
		);
		if (written === undefined) throw this.#unreachable("NoSuchKey", "when a text was to be written");
	}

	/** Returns the objects whose names begin so, without the prefix of the storage. Throws FileOutOfReach. */
	async list(start: string): Promise<Array<{ readonly name: string; readonly bytes: number }>> {
		const { prefix } = this.#settings;
		const found: Array<{ name: string; bytes: number }> = [];
		let continuationToken: string | undefined;
		for (let page = 0; page < pagesMax; page += 1) {
			const input = { prefix: `${prefix}${start}`, ...(continuationToken && { continuationToken }) };
			const listed = await this.#request((patienceMs) => inTime(this.#client.list(input), patienceMs));
			for (const { key, size } of listed?.contents ?? [])
				if (key.startsWith(prefix)) found.push({ name: key.slice(prefix.length), bytes: size ?? 0 });
			continuationToken = listed?.isTruncated ? listed.nextContinuationToken : undefined;
			if (continuationToken === undefined) return found;
		}
		throw this.#unreachable("TooMany", `more than ${pagesMax} pages of objects; use another prefix`);
	}

	/** Reads an object of this name and size piece by piece. Throws FileOutOfReach, FileUnreadable. */
	async *pieces({ name, bytes }: Pick<ArchiveFile, "name" | "bytes">): AsyncGenerator<Uint8Array> {
		const file = { name, bytes, sha256: "", day: 0, storedIn: this.location };
		for (let at = 0; at < bytes; at += partBytes) yield await this.part(file, at, Math.min(bytes, at + partBytes));
	}

	/** Reads an object back and returns how it differs from the file; undefined if it does not. Throws FileOutOfReach. */
	async difference(file: ObjectFile): Promise<string | undefined> {
		const read = await this.#request((patienceMs) => sumOf(this.#object(file).stream(), patienceMs));
		if (read === undefined) return "is missing";
		if (read.bytes !== file.bytes) return `has ${read.bytes} bytes where ${file.bytes} were written`;
		return read.sha256 === file.sha256 ? undefined : "is not what was written";
	}

	/** Throws FileOutOfReach if the storage cannot be reached, rejects the key, or has no such bucket. */
	async assertUsable(): Promise<void> {
		try {
			await this.#request((patienceMs) =>
				inTime(this.#client.file(`${this.#settings.prefix}-`).slice(0, 1).bytes(), patienceMs),
			);
		} catch (error) {
			// Without the right to list a bucket, a missing object is reported as forbidden.
			if (!(error instanceof FileOutOfReach) || codeOf(error.cause) !== "AccessDenied") throw error;
			this.#recover();
		}
	}

	/** Returns the address that people use. */
	addressOf(file: ObjectFile): string {
		return `${this.location}${objectName(file)}`;
	}

	#object(file: ObjectFile): Bun.S3File {
		return this.#client.file(this.#keyOf(file));
	}

	#keyOf(file: ObjectFile): string {
		return `${this.#settings.prefix}${objectName(file)}`;
	}

	/** Returns undefined if there is no such object. */
	async #request<T>(run: (patienceMs: number) => Promise<T>): Promise<T | undefined> {
		if (this.#failed && this.pauseMs > 0) throw this.#failed;
		try {
			const answer = await run(this.#patienceMs);
			this.#recover();
			return answer;
		} catch (error) {
			const code = codeOf(error) || "UnknownError";
			if (code === "NoSuchKey" || code === "InvalidRange") {
				this.#recover();
				return undefined;
			}
			throw this.#fail(this.#unreachable(code, error instanceof Error ? error.message : String(error)));
		}
	}

	#recover(): void {
		this.#failures = 0;
		this.#failed = undefined;
	}

	/** Requests at the same time fail together and count once. */
	#fail(failure: FileOutOfReach): FileOutOfReach {
		if (this.pauseMs > 0) return failure;
		this.#failed = failure;
		this.#leftAloneUntilMs = this.#clockMs() + Math.min(pauseMsMax, this.#pauseMsMin * 2 ** this.#failures);
		this.#failures += 1;
		return failure;
	}

	#unreachable(code: string, message: string): FileOutOfReach {
		const isRefusal = refusals.test(code);
		const remedy = isRefusal
			? "look at the settings TOLLGATE_S3_… and at what the key may do"
			: "it is tried again by itself, at growing pauses";
		return new FileOutOfReach(
			`Old events that are asked for lie in the S3 storage, which ${isRefusal ? "refuses" : "does not answer"} now (${code}). Repeat the call later; the operator finds more in the log.`,
			{
				cause: Object.assign(
					new Error(`${this.location} at ${this.#settings.endpoint}: ${code} (${message}); ${remedy}`),
					{ code },
				),
			},
		);
	}

	#missing(file: StoredFile): FileUnreadable {
		const isElsewhere = file.storedIn !== null && file.storedIn !== this.location;
		return new FileUnreadable(
			"Events that are asked for lie in a file of the archive that is nowhere to be found; the operator finds its name in the log.",
			{
				cause: new Error(
					`${this.addressOf(file)} is missing or cut short${isElsewhere ? ` (it was written to ${file.storedIn})` : ""}; bring it back, or archive/${file.name} from a backup`,
				),
			},
		);
	}
}

class TooSlow extends Error {
	readonly code = "Timeout";
}

async function inTime<T>(answer: Promise<T>, patienceMs: number): Promise<T> {
	const { promise: late, reject } = Promise.withResolvers<never>();
	const timer = setTimeout(() => reject(new TooSlow("no answer in time")), patienceMs);
	// A late answer has no reader any more.
	answer.catch(() => {});
	try {
		return await Promise.race([answer, late]);
	} finally {
		clearTimeout(timer);
	}
}

async function sumOf(
	stream: ReadableStream<Uint8Array>,
	patienceMs: number,
): Promise<{ bytes: number; sha256: string }> {
	const hasher = new Bun.CryptoHasher("sha256");
	const reader = stream.getReader();
	let bytes = 0;
	try {
		for (;;) {
			const { done, value } = await inTime(reader.read(), patienceMs);
			if (done) return { bytes, sha256: hasher.digest("hex") };
			hasher.update(value);
			bytes += value.length;
		}
	} finally {
		void reader.cancel().catch(() => {});
	}
}
