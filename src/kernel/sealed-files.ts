import { statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { FolderError } from "./errors";
import { fileMode } from "./storage/disk";

/** The first bytes of a sealed file: what it is, which key it needs, and the salt of its own key. */
const magic = new TextEncoder().encode("tollgate-sealed1");
const fingerprintBytes = 8;
const saltBytes = 32;
const headerBytes = magic.length + fingerprintBytes + saltBytes;

/** A piece is encrypted at once, so that the memory does not depend on the size of the file. */
const pieceBytes = 1024 * 1024;
const tagBytes = 16;

/** Flushes a file after this many bytes: one large flush at the end would delay every other flush. */
const flushEveryBytes = 8 * 1024 * 1024;

/** The size and the SHA-256 of a file. */
export interface Sum {
	readonly bytes: number;
	/** Hexadecimal. */
	readonly sha256: string;
}

/** Derives bytes of a purpose from a key (HKDF with SHA-256). */
async function derived(key: string, purpose: string, salt = new Uint8Array(0)): Promise<ArrayBuffer> {
	const base = await crypto.subtle.importKey("raw", Buffer.from(key, "hex"), "HKDF", false, ["deriveBits"]);
	const info = new TextEncoder().encode(purpose);
	return crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, base, 256);
}

/** Returns bytes that identify a key and do not disclose it. */
const fingerprintOf = async (key: string): Promise<Uint8Array> =>
	new Uint8Array(await derived(key, "fingerprint of a backup key")).subarray(0, fingerprintBytes);

const keyOfFile = async (key: string, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
	crypto.subtle.importKey("raw", await derived(key, "key of a backup", salt), "AES-GCM", false, ["encrypt", "decrypt"]);

/** Each piece has its number in its nonce, and the last one says so: pieces cannot be exchanged, repeated or left out. */
function nonceOf(piece: number, isLast: boolean): Uint8Array<ArrayBuffer> {
	const nonce = new Uint8Array(12);
	nonce[0] = isLast ? 1 : 0;
	new DataView(nonce.buffer).setBigUint64(4, BigInt(piece));
	return nonce;
}

/**
 * Encrypts a file into a new file, piece by piece: AES-256-GCM with a key that derives from `key` (64 hexadecimal digits) and a random
 * salt. The new file is on disk when this resolves. Returns its size and checksum.
 */
export async function sealFile(key: string, from: string, to: string): Promise<Sum> {
	const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
	const header = Buffer.concat([magic, await fingerprintOf(key), salt]);
	const own = await keyOfFile(key, salt);
	await using source = await open(from, "r");
	await using target = await FlushedFile.open(to);
	await target.write(header);
	const { size } = await source.stat();
	for (let piece = 0, at = 0; ; piece += 1) {
		const plain = await readAt(source, at, Math.min(pieceBytes, size - at));
		at += plain.length;
		const isLast = at >= size;
		const algorithm = { name: "AES-GCM", iv: nonceOf(piece, isLast), additionalData: header };
		await target.write(new Uint8Array(await crypto.subtle.encrypt(algorithm, own, plain)));
		if (isLast) return await target.end();
	}
}

/** Decrypts a sealed file into a new file. Throws FolderError for another key, and for a file that was changed or cut short. */
export async function unsealFile(key: string, from: string, to: string): Promise<void> {
	await using source = await open(from, "r");
	const { size } = await source.stat();
	const header = await readAt(source, 0, Math.min(headerBytes, size));
	if (!startsWithMagic(header) || header.length < headerBytes) throw new FolderError(`'${from}' is no sealed backup.`);
	const named = header.subarray(magic.length, magic.length + fingerprintBytes);
	const fingerprint = await fingerprintOf(key);
	if (Buffer.compare(named, fingerprint) !== 0)
		throw new FolderError(
			`'${from}' was sealed with another key: it needs the key with the fingerprint ${hex(named)}, and TOLLGATE_BACKUP_KEY has ${hex(fingerprint)}. Set TOLLGATE_BACKUP_KEY to the key of that time.`,
		);
	const own = await keyOfFile(key, header.slice(magic.length + fingerprintBytes));
	await using target = await FlushedFile.open(to);
	for (let piece = 0, at = headerBytes; ; piece += 1) {
		const sealed = await readAt(source, at, Math.min(pieceBytes + tagBytes, size - at));
		at += sealed.length;
		const isLast = at >= size;
		const algorithm = { name: "AES-GCM", iv: nonceOf(piece, isLast), additionalData: header };
		const plain = await crypto.subtle.decrypt(algorithm, own, sealed).catch(() => {
			throw new FolderError(`'${from}' is damaged or cut short. Use another backup.`);
		});
		await target.write(new Uint8Array(plain));
		if (isLast) break;
	}
	await target.end();
}

/** Whether a file is sealed, by its first bytes. A folder is not. */
export async function isSealed(path: string): Promise<boolean> {
	if (!statSync(path).isFile()) return false;
	await using file = await open(path, "r");
	return startsWithMagic(await readAt(file, 0, Math.min(magic.length, (await file.stat()).size)));
}

/** Writes pieces into a new file that is on disk when this resolves. */
export async function writeFlushed(pieces: AsyncIterable<Uint8Array>, to: string): Promise<void> {
	await using target = await FlushedFile.open(to);
	for await (const piece of pieces) await target.write(piece);
	await target.end();
}

/** Copies a file into a new file that is on disk when this resolves. */
export const copyFlushed = (from: string, to: string): Promise<void> => writeFlushed(Bun.file(from).stream(), to);

/** Returns the size and the checksum of a file. */
export async function sumOfFile(path: string): Promise<Sum> {
	const hasher = new Bun.CryptoHasher("sha256");
	let bytes = 0;
	for await (const chunk of Bun.file(path).stream()) {
		hasher.update(chunk);
		bytes += chunk.length;
	}
	return { bytes, sha256: hasher.digest("hex") };
}

const startsWithMagic = (bytes: Uint8Array): boolean => Buffer.compare(bytes.subarray(0, magic.length), magic) === 0;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

async function readAt(file: FileHandle, at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
	const bytes = new Uint8Array(length);
	for (let filled = 0; filled < length; ) {
		const { bytesRead } = await file.read(bytes, filled, length - filled, at + filled);
		if (bytesRead === 0) throw new FolderError("A file became shorter while it was read.");
		filled += bytesRead;
	}
	return bytes;
}

/** A new file that is flushed while it is written, with the checksum of what was written. */
class FlushedFile implements AsyncDisposable {
	readonly #file: FileHandle;
	readonly #hasher = new Bun.CryptoHasher("sha256");
	#bytes = 0;
	#unflushed = 0;

	private constructor(file: FileHandle) {
		this.#file = file;
	}

	static async open(path: string): Promise<FlushedFile> {
		return new FlushedFile(await open(path, "wx", fileMode));
	}

	async write(bytes: Uint8Array): Promise<void> {
		await this.#file.writeFile(bytes);
		this.#hasher.update(bytes);
		this.#bytes += bytes.length;
		this.#unflushed += bytes.length;
		if (this.#unflushed < flushEveryBytes) return;
		await this.#file.datasync();
		this.#unflushed = 0;
	}

	/** Returns the sum of the file, which is on disk. */
	async end(): Promise<Sum> {
		await this.#file.sync();
		return { bytes: this.#bytes, sha256: this.#hasher.digest("hex") };
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#file.close();
	}
}
