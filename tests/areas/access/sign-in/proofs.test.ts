import { expect, test } from "bun:test";
import { decoyHash } from "../../../../src/areas/access/sign-in/proofs";

test("a user without a password costs the same check as one with a password: the same work, on a hash that can be read", async () => {
	const costOf = (hash: string) => hash.split("$").slice(0, 4);
	expect(costOf(decoyHash)).toEqual(costOf(await Bun.password.hash("a long pass phrase", "argon2id")));
	// It throws for what it cannot read, and would answer at once.
	expect(await Bun.password.verify("a long pass phrase", decoyHash)).toBe(false);
});
