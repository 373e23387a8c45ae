import { beforeEach, describe, expect, test } from "bun:test";
import { KnownNetworks } from "../../../../src/areas/access/sign-in/known-networks";
import { SignIns } from "../../../../src/areas/access/sign-in/sign-ins";

const minute = 60_000;
const email = "ada@example.com";

let now: number;
let signIns: SignIns;
beforeEach(() => {
	now = 0;
	signIns = new SignIns(() => now);
});

/** "right" or "wrong" where the password was verified, else the code of the refusal. */
const attempt = async (network: string, isRight: boolean, account = email): Promise<string> =>
	signIns
		.attempt({ email: account, network }, async () => isRight)
		.then((right) => (right ? "right" : "wrong"))
		.catch(({ code }) => code);

const wrongFrom = async (network: string, count: number, account = email): Promise<number> => {
	let verified = 0;
	for (let at = 0; at < count; at += 1) if ((await attempt(network, false, account)) === "wrong") verified += 1;
	return verified;
};

describe("an account and a network", () => {
	test("are paused by ten wrong passwords in ten minutes, even for the right one; neither is paused for others", async () => {
		expect(await wrongFrom("attacker", 15)).toBe(10);
		expect(await attempt("attacker", true)).toBe("RateLimitExceeded");
		expect(await attempt("administrator", true)).toBe("right");
		expect(await attempt("attacker", true, "bob@example.com")).toBe("right");
		now += 10 * minute;
		expect(await attempt("attacker", true)).toBe("right");
	});

	test("a network that guesses for hours never delays the account elsewhere", async () => {
		let verified = 0;
		for (; now < 300 * minute; now += minute) {
			verified += await wrongFrom("attacker", 3);
			expect(await attempt("administrator", true)).toBe("right");
		}
		expect(verified).toBe(300);
	});

	test("right passwords do not count", async () => {
		for (let at = 0; at < 200; at += 1) expect(await attempt(`network ${at % 3}`, true)).toBe("right");
		expect(await wrongFrom("network 1", 15)).toBe(10);
	});
});

describe("a network", () => {
	test("is paused by wrong passwords for ten accounts, not by ten for one", async () => {
		await wrongFrom("office", 10, "forgetful@example.com");
		expect(await attempt("office", true)).toBe("right");
		for (let at = 0; at < 9; at += 1) await wrongFrom("office", 1, `${at}@example.com`);
		expect(await attempt("office", true)).toBe("RateLimitExceeded");
		expect(await attempt("elsewhere", true)).toBe("right");
		now += 10 * minute;
		expect(await attempt("office", true)).toBe("right");
	});
});

describe("an account that many networks guess at", () => {
	/** A guesser with a new network for each attempt tries every second. */
	const guessFor = async (seconds: number): Promise<number> => {
		let verified = 0;
		const end = now + seconds * 1000;
		for (; now < end; now += 1000) verified += await wrongFrom(`guesser ${now}`, 1);
		return verified;
	};

	test("is guessed at some seventy times in an hour", async () => {
		for (let hour = 0; hour < 5; hour += 1) {
			const verified = await guessFor(60 * 60);
			expect(verified).toBeGreaterThan(40);
			expect(verified).toBeLessThanOrEqual(73);
		}
	});

	test("is delayed for new networks: by a second, then twice as long each time", async () => {
		for (let at = 0; at < 61; at += 1) await wrongFrom(`guesser ${at}`, 1);
		for (const seconds of [1, 2, 4, 8]) {
			now += seconds * 1000 - 1;
			expect(await attempt("new", true)).toBe("RateLimitExceeded");
			now += 1;
			expect(await attempt("new", true)).toBe("right");
			expect(await wrongFrom(`guesser ${now}`, 1)).toBe(1);
		}
	});

	test("lets a person in at once from a network where that person has signed in before, with ten attempts", async () => {
		signIns.noteSignIn({ email, network: "home" });
		await guessFor(120);
		expect(await attempt("new", true)).toBe("RateLimitExceeded");
		expect(await attempt("home", true)).toBe("right");
		expect(await wrongFrom("home", 15)).toBe(10);
		expect(await attempt("home", true)).toBe("RateLimitExceeded");
		expect(await attempt("new", true, "bob@example.com")).toBe("right");
		signIns.noteSignIn({ email: "bob@example.com", network: "bob's" });
		expect(await attempt("bob's", true)).toBe("RateLimitExceeded");
	});

	test("is accepted without a delay an hour later", async () => {
		await guessFor(120);
		now += 60 * minute;
		expect(await attempt("new", true)).toBe("right");
	});
});

test("known networks are bounded: the one that signed in longest ago is evicted", () => {
	const known = new KnownNetworks(2);
	for (const pair of ["a", "b", "a", "c"]) known.add(pair);
	expect(["a", "b", "c"].map((pair) => known.has(pair))).toEqual([true, false, true]);
});
