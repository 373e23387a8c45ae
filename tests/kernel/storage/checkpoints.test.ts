import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { Checkpoints } from "../../../src/kernel/storage/checkpoints";
import { filePath, openFile } from "../../../src/kernel/storage/db";
import { freshFolder } from "../../support/world";

const mebibyte = 1024 * 1024;

test("a log is checkpointed on another thread; where none does it, the writer does, so that the log stays bounded", () => {
	const folder = freshFolder();
	const { $client: writer } = openFile(folder, "main");
	writer.run("CREATE TABLE much (bytes BLOB)");
	const size = (file = filePath(folder, "main")) => statSync(file).size;
	const write = (mebibytes: number) => {
		for (let at = 0; at < mebibytes; at += 1) writer.run("INSERT INTO much VALUES (zeroblob(?))", [mebibyte]);
	};
	const before = size();
	write(2);
	expect(size()).toBe(before);
	const checkpoints = new Checkpoints(folder, ["main"]);
	checkpoints.run();
	expect(size()).toBeGreaterThan(2 * mebibyte);
	write(100);
	expect(size()).toBeGreaterThan(70 * mebibyte);
	expect(size(`${filePath(folder, "main")}-wal`)).toBeLessThan(40 * mebibyte);
	checkpoints.close();
	writer.close();
});
