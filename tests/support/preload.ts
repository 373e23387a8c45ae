import { afterAll } from "bun:test";
import { rmSync } from "node:fs";
import { testsFolder } from "./folders";

// The tests' own setting for the whole run: answers are checked against their schemas (kernel/schema.ts, `answer`).
process.env.NODE_ENV = "test";

afterAll(() => rmSync(testsFolder, { recursive: true, force: true }));
