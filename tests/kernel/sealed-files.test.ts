import { afterAll, describe, expect, test } from "bun:test";
import { createDecipheriv, hkdfSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FolderError } from "../../src/kernel/errors";
import { isSealed, sealFile, sumOfFile, unsealFile } from "../../src/kernel/sealed-files";
import { temporaryFolder } from "../support/process";

const { folder, remove } = temporaryFolder();
afterAll(remove);

const key = "ab".repeat(32);
let count = 0;
const fresh = () => join(folder, String(++count));

const mebibyte = 1024 * 1024;

async function sealed(plain: Uint8Array) {
	const [from, to] = [fresh(), fresh()];
	writeFileSync(from, plain);
	return { path: to, sum: await sealFile(key, from, to) };
}

const random = (bytes: number) => {
	const all = new Uint8Array(bytes);
	for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(all.subarray(at, Math.min(bytes, at + 65_536)));
	return all;
};

/** Decrypts as the documentation of the format says, with another library. */
function opened(file: Buffer): Buffer {
	const header = file.subarray(0, 56);
	const own = Buffer.from(hkdfSync("sha256", Buffer.from(key, "hex"), header.subarray(24), "key of a backup", 32));
	const plain: Buffer[] = [];
	for (let at = 56, piece = 0; at < file.length; piece += 1) {
		const end = Math.min(file.length, at + mebibyte + 16);
		const nonce = Buffer.alloc(12);
		nonce[0] = end === file.length ? 1 : 0;
		nonce.writeBigUInt64BE(BigInt(piece), 4);
		const decipher = createDecipheriv("aes-256-gcm", own, nonce);
		decipher.setAAD(header);
		decipher.setAuthTag(file.subarray(end - 16, end));
		plain.push(decipher.update(file.subarray(at, end - 16)), decipher.final());
		at = end;
	}
	return Buffer.concat(plain);
}

describe("a sealed file", () => {
	test.each([0, 1, mebibyte - 1, mebibyte, mebibyte + 1, 3 * mebibyte + 7])(
		"opens to its original of %d bytes",
		async (bytes) => {
			const plain = random(bytes);
			const { path, sum } = await sealed(plain);
			expect(sum).toEqual(await sumOfFile(path));
			const to = fresh();
			await unsealFile(key, path, to);
			expect(Buffer.compare(readFileSync(to), plain)).toBe(0);
			expect(Buffer.compare(opened(readFileSync(path)), plain)).toBe(0);
			expect(await isSealed(path)).toBe(true);
			expect(await isSealed(to)).toBe(false);
		},
	);

	test("differs each time", async () => {
		const [one, other] = [await sealed(random(10)), await sealed(random(10))];
		expect(one.sum.sha256).not.toBe(other.sum.sha256);
	});

	test("is refused with another key, which the message names by its fingerprint", async () => {
		const { path } = await sealed(random(10));
		const refusal = await unsealFile("cd".repeat(32), path, fresh()).catch((error) => error);
		expect(refusal).toBeInstanceOf(FolderError);
		expect(refusal.message).toMatch(/another key: it needs the key with the fingerprint [0-9a-f]{16}/);
		expect(refusal.message).not.toContain(key);
	});

	test("is refused when a bit is flipped, a piece is missing, exchanged or added, or the end is cut", async () => {
		const file = readFileSync((await sealed(random(2 * mebibyte + 100))).path);
		const piece = mebibyte + 16;
		const [header, first, second, last] = [
			file.subarray(0, 56),
			file.subarray(56, 56 + piece),
			file.subarray(56 + piece, 56 + 2 * piece),
			file.subarray(56 + 2 * piece),
		];
		const flipped = Buffer.from(file);
		flipped[56 + piece + 5] = (flipped[56 + piece + 5] ?? 0) ^ 1;
		const salted = Buffer.from(file);
		salted[40] = (salted[40] ?? 0) ^ 1;
		for (const parts of [
			[flipped],
			[salted],
			[header, first, second],
			[header, first, last],
			[header, second, first, last],
			[file, last],
			[file.subarray(0, -1)],
			[header],
		]) {
			const path = fresh();
			writeFileSync(path, Buffer.concat(parts));
			await expect(unsealFile(key, path, fresh())).rejects.toThrow("damaged or cut short");
		}
		for (const text of ["", "short", "x".repeat(100)]) {
			const path = fresh();
			writeFileSync(path, text);
			await expect(unsealFile(key, path, fresh())).rejects.toThrow("no sealed backup");
		}
	});
});
