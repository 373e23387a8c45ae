import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { Checkpoints, leaveCheckpoints } from "../../src/kernel/storage/checkpoints";
import { filePath, openFile } from "../../src/kernel/storage/db";
import { freshFolder } from "../support/world";

const mebibyte = 1024 * 1024;

test("a writer that leaves them to another thread folds nothing back up to a bound; the other does", () => {
	const folder = freshFolder();
	const { $client: writer } = openFile(folder, "main");
	leaveCheckpoints(writer);
	writer.run("CREATE TABLE much (bytes BLOB)");
	const size = () => statSync(filePath(folder, "main")).size;
	const write = (mebibytes: number) => {
		for (let at = 0; at < mebibytes; at += 1) writer.run("INSERT INTO much VALUES (zeroblob(?))", [mebibyte]);
	};
	write(20);
	expect(size()).toBeLessThan(5 * mebibyte);
	const checkpoints = new Checkpoints(folder, ["main"]);
	checkpoints.run();
	expect(size()).toBeGreaterThan(20 * mebibyte);
	// Nobody folds back for it: the log is bounded all the same.
	write(80);
	expect(size()).toBeGreaterThan(80 * mebibyte);
	checkpoints.close();
	writer.close();
});
