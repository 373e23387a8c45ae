import { beforeEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { type World, world } from "../../../support/world";
import { addUser, type Call, calling, login, member, password } from "../people";

let w: World;
let ada: Call;
beforeEach(async () => {
	w = world();
	ada = await member(w, "ada", "OWNER");
});

/** RFC 4226 and 6238 by hand: what an app shows, `steps` of 30 seconds from now. */
function codeOf(secret: string, steps = 0): string {
	const bits = [...secret]
		.map((one) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(one).toString(2).padStart(5, "0"))
		.join("");
	const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
	const counter = Buffer.alloc(8);
	counter.writeBigUInt64BE(BigInt(Math.floor(w.clock.at / 30_000) + steps));
	const hash = createHmac("sha1", key).update(counter).digest();
	const offset = (hash.at(-1) ?? 0) & 15;
	return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
const wait = (seconds: number) => {
	w.clock.at = (w.clock.at + seconds * 1000) as typeof w.clock.at;
};

async function enrolled(): Promise<{ secret: string; recoveryCodes: string[] }> {
	const { secret, uri } = (await ada("POST", "/auth/totp/enrol", { password })).body.data;
	expect(uri).toContain(`secret=${secret}`);
	const { recoveryCodes } = (await ada("POST", "/auth/totp/confirm", { totpCode: codeOf(secret) })).body.data;
	wait(60);
	return { secret, recoveryCodes };
}

describe("a second factor", () => {
	test("is asked for once it was confirmed", async () => {
		const { secret } = (await ada("POST", "/auth/totp/enrol", { password })).body.data;
		expect((await login(w, "ada")).body.data.token).toBeString();
		expect(await ada("POST", "/auth/totp/confirm", { totpCode: codeOf(secret, 5) })).toMatchObject({ status: 401 });
		expect((await ada("GET", "/me")).body.data.hasSecondFactor).toBe(false);
		const confirmed = await ada("POST", "/auth/totp/confirm", { totpCode: codeOf(secret) });
		expect((await ada("GET", "/me")).body.data.hasSecondFactor).toBe(true);
		expect(new Set(confirmed.body.data.recoveryCodes).size).toBe(10);
		wait(60);
		expect((await login(w, "ada")).body).toEqual({ data: { secondFactor: "TOTP" } });
		expect((await login(w, "ada", { totpCode: codeOf(secret) })).body.data.token).toBeString();
		expect(await ada("POST", "/auth/totp/enrol", { password })).toMatchObject({ status: 409 });
		expect(await ada("POST", "/auth/totp/confirm", { totpCode: codeOf(secret) })).toMatchObject({ status: 400 });
		const kept = ["second_factors", "recovery_codes"].map((name) => w.db.$client.query(`SELECT * FROM ${name}`).all());
		expect(JSON.stringify(kept)).not.toContain(secret);
		for (const code of confirmed.body.data.recoveryCodes) expect(JSON.stringify(kept)).not.toContain(code);
	});

	test("is not confirmed by guessing: wrong codes count there too", async () => {
		const { secret } = (await ada("POST", "/auth/totp/enrol", { password })).body.data;
		const confirm = (totpCode: string) => ada("POST", "/auth/totp/confirm", { totpCode });
		for (let at = 0; at < 10; at += 1) expect((await confirm(codeOf(secret, 5 + at))).status).toBe(401);
		expect((await confirm(codeOf(secret))).status).toBe(429);
		expect((await login(w, "ada")).status).toBe(429);
	});

	test("takes no code twice, nor an earlier one", async () => {
		const { secret } = await enrolled();
		const [former, code] = [codeOf(secret, -1), codeOf(secret)];
		expect((await login(w, "ada", { totpCode: code })).status).toBe(200);
		expect((await login(w, "ada", { totpCode: code })).status).toBe(401);
		expect((await login(w, "ada", { totpCode: former })).status).toBe(401);
		wait(30);
		expect((await login(w, "ada", { totpCode: codeOf(secret) })).status).toBe(200);
	});

	test("lets one of two in who send the same code at once", async () => {
		const { secret } = await enrolled();
		const totpCode = codeOf(secret);
		const answers = await Promise.all([login(w, "ada", { totpCode }), login(w, "ada", { totpCode })]);
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
	});

	test("takes a code of the step before and after, and none further off", async () => {
		const { secret } = await enrolled();
		for (const [steps, status] of [
			[-2, 401],
			[2, 401],
			[-1, 200],
			[1, 200],
		] as const)
			expect([steps, (await login(w, "ada", { totpCode: codeOf(secret, steps) })).status]).toEqual([steps, status]);
	});

	test("is replaced by a recovery code, each of which counts once", async () => {
		const { recoveryCodes } = await enrolled();
		const [first = "", second = ""] = recoveryCodes;
		expect((await login(w, "ada", { recoveryCode: first.toUpperCase().replaceAll("-", " ") })).status).toBe(200);
		expect((await login(w, "ada", { recoveryCode: first })).status).toBe(401);
		expect((await login(w, "ada", { recoveryCode: second })).status).toBe(200);
	});

	test("is no help without the password; wrong codes count as wrong passwords do", async () => {
		const { secret } = await enrolled();
		expect((await login(w, "ada", { password: "wrong", totpCode: codeOf(secret) })).status).toBe(401);
		for (let at = 0; at < 9; at += 1) expect((await login(w, "ada", { totpCode: "000000" })).status).toBe(401);
		expect((await login(w, "ada", { totpCode: codeOf(secret) })).status).toBe(429);
	});

	test("codes are not guessed faster from networks that have proved the password alone", async () => {
		const { secret } = await enrolled();
		const from = (at: number, sent: object = {}) =>
			w.call("POST", "/auth/login", {
				...{ key: "", body: { email: "ada@example.com", password, ...sent }, address: `198.51.100.${at}` },
			});
		let verified = 0;
		for (let at = 1; at <= 40; at += 1) {
			await from(at);
			for (let time = 0; time < 2; time += 1)
				if ((await from(at, { totpCode: "000000" })).status === 401) verified += 1;
		}
		expect(verified).toBe(61);
		expect((await from(41, { totpCode: codeOf(secret) })).status).toBe(429);
	}, 30_000);

	test("is dropped with the password and a code", async () => {
		const { secret } = await enrolled();
		expect((await ada("DELETE", "/auth/totp", { password })).status).toBe(401);
		expect((await ada("DELETE", "/auth/totp", { password: "wrong", totpCode: codeOf(secret) })).status).toBe(401);
		expect((await ada("DELETE", "/auth/totp", { password, totpCode: codeOf(secret) })).status).toBe(200);
		expect((await login(w, "ada")).body.data.token).toBeString();
		expect((await ada("DELETE", "/auth/totp", { password })).status).toBe(400);
		expect(w.db.$client.query("SELECT * FROM recovery_codes").all()).toEqual([]);
	});

	test("belongs to one user and is invalid for another", async () => {
		const { secret, recoveryCodes } = await enrolled();
		addUser(w, "bob", "MEMBER");
		const bob = calling(w, (await login(w, "bob")).body.data.token);
		const theirs = (await bob("POST", "/auth/totp/enrol", { password })).body.data.secret;
		await bob("POST", "/auth/totp/confirm", { totpCode: codeOf(theirs) });
		wait(60);
		expect((await login(w, "bob", { totpCode: codeOf(secret) })).status).toBe(401);
		expect((await login(w, "bob", { recoveryCode: recoveryCodes[0] })).status).toBe(401);
	});
});
