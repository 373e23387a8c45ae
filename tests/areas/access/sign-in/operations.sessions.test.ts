import { beforeEach, describe, expect, test } from "bun:test";
import { noteSessionUses } from "../../../../src/areas/access/sign-in/operations.sessions";
import { Authenticator } from "../../../../src/http/authentication/authenticator";
import { type World, world } from "../../../support/world";
import { addUser, calling, login, password } from "../people";

let w: World;
beforeEach(() => {
	w = world();
	addUser(w, "ada", "OWNER");
});
const session = async (name = "ada") => calling(w, (await login(w, name, {}, "192.0.2.1")).body.data.token);

describe("sessions", () => {
	test("are listed to their user, and ended one by one", async () => {
		const [first, second] = [await session(), await session()];
		const { data } = (await first("GET", "/sessions")).body;
		expect(data).toMatchObject([
			{
				isCurrent: false,
				address: "192.0.2.1",
				expiresAt: "2026-01-31T12:00:00.000Z",
				lastSeenAt: "2026-01-31T00:00:00.000Z",
			},
			{ isCurrent: true },
		]);
		addUser(w, "bob", "OWNER");
		const bob = await session("bob");
		expect((await bob("DELETE", `/sessions/${data[0].id}`)).status).toBe(404);
		expect((await bob("GET", `/sessions?after=${data[0].id}`)).status).toBe(400);
		expect((await first("DELETE", `/sessions/${data[0].id}`)).status).toBe(200);
		expect((await second("GET", "/sessions")).status).toBe(401);
		expect((await first("GET", "/sessions")).body.data).toHaveLength(1);
	});

	test("end all at once, and others' go on", async () => {
		addUser(w, "bob", "OWNER");
		const [first, second, bob] = [await session(), await session(), await session("bob")];
		expect((await first("DELETE", "/sessions")).status).toBe(200);
		expect((await first("GET", "/me")).status).toBe(401);
		expect((await second("GET", "/me")).status).toBe(401);
		expect((await bob("GET", "/me")).status).toBe(200);
	});

	test("end when they are idle, where that is set: to the minute of the last call", async () => {
		const { token } = (await login(w, "ada")).body.data;
		const headers = new Headers({ authorization: `Bearer ${token}` });
		const minute = 60_000;
		const { transactions } = w;
		const idle = new Authenticator({
			...{ transactions, folderSecret: "x", sessions: { lifetimeMs: 600 * minute, idleMs: 30 * minute } },
		});
		const at = (minutes: number) => {
			w.clock.at = (Date.UTC(2026, 0, 31) + minutes * minute) as typeof w.clock.at;
		};
		at(30);
		const { session } = idle.login(headers);
		expect(idle.takeUsedSessions()).toEqual([session.id]);
		transactions.writeUsage(w.actor, (work) => noteSessionUses(work, [session.id, "gone"]));
		at(60);
		idle.login(headers);
		at(61);
		expect(() => idle.login(headers)).toThrow("Send a valid");
		// Where no idle time is set they last as long as they last.
		w.services.authenticator.login(headers);
	});
});

describe("a password", () => {
	const another = "another pass phrase";
	const change = (call: ReturnType<typeof calling>, currentPassword: string) =>
		call("POST", "/auth/password", { currentPassword, password: another });

	test("is changed with the former one; other sessions end", async () => {
		const [mine, other] = [await session(), await session()];
		expect((await change(mine, "wrong")).status).toBe(401);
		expect((await change(mine, password)).status).toBe(200);
		expect((await mine("GET", "/me")).status).toBe(200);
		expect((await other("GET", "/me")).status).toBe(401);
		expect((await login(w, "ada")).status).toBe(401);
		expect((await login(w, "ada", { password: another })).status).toBe(200);
	});

	test("guessing pauses, too, when the guesser has a session", async () => {
		const mine = await session();
		for (let at = 0; at < 10; at += 1) expect((await change(mine, "wrong")).status).toBe(401);
		expect((await change(mine, password)).status).toBe(429);
	});

	test("has ten characters at least", async () => {
		const mine = await session();
		const answer = await mine("POST", "/auth/password", { currentPassword: password, password: "short" });
		expect(answer).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
	});
});
