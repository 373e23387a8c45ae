import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openLog } from "../../src/http/log";
import { MailSender } from "../../src/mail/send";
import { drainTasks } from "../../src/workers/task-thread";
import { addUser, calling, login, member, password } from "../areas/access/people";
import { type World, world } from "../support/world";
import { smtpServer, tokenIn } from "./smtp";

type Server = Awaited<ReturnType<typeof smtpServer>>;

let w: World;
let server: Server;
afterEach(() => server.close());

const publicUrl = "https://billing.example.com";
async function begin(options: Parameters<typeof smtpServer>[0] = {}) {
	server = await smtpServer(options);
	const mail = { url: server.url, from: "Tollgate <billing@example.com>" };
	w = world({ publicUrl, mail });
}
beforeEach(() => begin());

/** The job of the deliverer's thread: answers in how many milliseconds there is more to do. */
function send(settings = w.services.api.mail, folderSecret = w.services.outgoing.folderSecret) {
	const { write } = w.services;
	const sender = new MailSender({
		folderSecret,
		settings,
		write,
		readReminder: () => undefined,
		readAnnouncement: () => undefined,
	});
	return drainTasks(w.transactions, ["SEND_MAIL"], (task) => sender.send(task), openLog("silent"), write);
}
const request = (email: string, address?: string) =>
	w.call("POST", "/auth/password/reset-request", { key: "", body: { email }, ...(address && { address }) });
const reset = (token: string, chosen = "another pass phrase") =>
	w.call("POST", "/auth/password/reset", { key: "", body: { token, password: chosen } });
const tasks = () =>
	w.db.$client.query<{ status: string; payload: string }, []>("SELECT status, payload FROM tasks").all();

describe("an invitation", () => {
	test("goes to its address, with the link", async () => {
		const owner = await member(w, "owner", "OWNER");
		const { data } = (await owner("POST", "/members/invitations", { email: "grace@example.com", role: "SUPPORT" }))
			.body;
		expect(data.link).toBe(`${publicUrl}/console/accept-invitation#token=${data.token}`);
		expect(w.woken).toContain("deliverer");
		// Nobody reads the link in the database.
		expect(JSON.stringify(tasks())).not.toContain(data.token);
		await send();
		expect(server.received).toMatchObject([{ from: "billing@example.com", to: ["grace@example.com"] }]);
		const [mail] = server.received;
		expect(mail?.text).toContain("From: Tollgate <billing@example.com>");
		expect(mail?.text).toContain("owner@example.com invites you to Ours");
		expect(mail && tokenIn(mail)).toBe(data.token);
		expect(tasks()).toEqual([{ status: "COMPLETED", payload: "{}" }]);
	});

	test("is sent to nobody once refused", async () => {
		const owner = await member(w, "owner", "OWNER");
		await owner("POST", "/members/invitations", { email: "owner@example.com", role: "SUPPORT" });
		expect(tasks()).toEqual([]);
	});
});

describe("a password reset", () => {
	test("by the link of the mail, once; all sessions end", async () => {
		const ada = await member(w, "ada", "OWNER");
		expect(await request("ADA@example.com")).toMatchObject({ status: 200, body: { data: {} } });
		await send();
		const [mail] = server.received;
		expect(mail?.to).toEqual(["ada@example.com"]);
		const token = mail ? tokenIn(mail) : "";
		expect(JSON.stringify(w.db.$client.query("SELECT * FROM password_resets").all())).not.toContain(token);
		expect(await reset(token, "short")).toMatchObject({ status: 400 });
		expect(await reset(token)).toMatchObject({ status: 200, body: { data: { email: "ada@example.com" } } });
		expect((await ada("GET", "/me")).status).toBe(401);
		expect((await login(w, "ada")).status).toBe(401);
		expect((await login(w, "ada", { password: "another pass phrase" })).status).toBe(200);
		expect(await reset(token)).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
	});

	test("is not good after an hour, nor once there is a newer one", async () => {
		addUser(w, "ada", "OWNER");
		for (let at = 0; at < 2; at += 1) await request("ada@example.com");
		await send();
		const [first = "", second = ""] = server.received.map(tokenIn);
		expect((await reset(first)).status).toBe(400);
		w.clock.at = (w.clock.at + 60 * 60 * 1000) as typeof w.clock.at;
		expect((await reset(second)).status).toBe(400);
		expect((await login(w, "ada")).status).toBe(200);
	});

	test("is answered alike for who is nobody, who gets no mail", async () => {
		addUser(w, "ada", "OWNER");
		const [known, unknown] = [await request("ada@example.com"), await request("eve@example.com")];
		expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
		// Requests that take the same way take the same time.
		expect(tasks().map(({ status }) => status)).toEqual(["PENDING", "PENDING"]);
		await send();
		expect(server.received.map(({ to }) => to)).toEqual([["ada@example.com"]]);
		expect(tasks().map(({ status }) => status)).toEqual(["COMPLETED", "COMPLETED"]);
	});

	test("sends three mails an hour to one address, and answers as ever", async () => {
		addUser(w, "ada", "OWNER");
		for (let at = 0; at < 6; at += 1) expect((await request("ada@example.com")).status).toBe(200);
		await send();
		expect(server.received).toHaveLength(3);
		w.limitClock.ms += 60 * 60 * 1000;
		await request("ada@example.com");
		await send();
		expect(server.received).toHaveLength(4);
	});

	test("sends twenty an hour for one sender", async () => {
		for (let at = 0; at < 25; at += 1) await request(`user${at}@example.com`, "192.0.2.7");
		expect(tasks()).toHaveLength(20);
		await request("other@example.com", "198.51.100.7");
		expect(tasks()).toHaveLength(21);
	});

	test("does not go around the second factor", async () => {
		const ada = await member(w, "ada", "OWNER");
		await ada("POST", "/auth/totp/enrol", { password });
		w.db.$client.run("UPDATE second_factors SET confirmed_at = 1");
		await request("ada@example.com");
		await send();
		await reset(server.received.map(tokenIn)[0] ?? "");
		expect((await login(w, "ada", { password: "another pass phrase" })).body).toEqual({
			data: { secondFactor: "TOTP" },
		});
	});

	test("is refused where no mail is sent, for every caller", async () => {
		w = world();
		addUser(w, "ada", "OWNER");
		for (const email of ["ada@example.com", "eve@example.com"])
			expect(await request(email)).toMatchObject({ status: 409, body: { code: null } });
	});
});

describe("a mail server", () => {
	test("gets a mail again that it rejected, at growing pauses", async () => {
		await server.close();
		await begin({ refuses: 2 });
		addUser(w, "ada", "OWNER");
		await request("ada@example.com");
		const pauses = [];
		for (let again = await send(); again !== undefined; again = await send()) {
			pauses.push(again);
			w.clock.at = (w.clock.at + again) as typeof w.clock.at;
		}
		expect(pauses).toEqual([2000, 4000]);
		expect(server.received).toHaveLength(1);
	});

	test("gets no mail any more after two hours of failures", async () => {
		addUser(w, "ada", "OWNER");
		await request("ada@example.com");
		let waited = 0;
		const nowhere = { url: "smtp://127.0.0.1:1", from: "a@example.com" };
		for (let again = await send(nowhere); again !== undefined; again = await send(nowhere)) {
			waited += again;
			w.clock.at = (w.clock.at + again) as typeof w.clock.at;
		}
		expect(waited / 3_600_000).toBeWithin(1, 3);
		expect(tasks().map(({ status }) => status)).toEqual(["FAILED"]);
	});

	test("asks for a user and a password", async () => {
		await server.close();
		await begin({ user: "billing" });
		addUser(w, "ada", "OWNER");
		await request("ada@example.com");
		await send({ url: server.url.replace("secret", "wrong"), from: "billing@example.com" });
		expect(server.received).toEqual([]);
		w.clock.at = (w.clock.at + 10_000) as typeof w.clock.at;
		await send();
		expect(server.received).toHaveLength(1);
	});

	test("never gets what was sealed by another data folder", async () => {
		addUser(w, "ada", "OWNER");
		await request("ada@example.com");
		await send(undefined, "another secret");
		expect(server.received).toEqual([]);
	});
});

test("mails belong to no environment: no key sees them", async () => {
	const owner = await member(w, "owner", "OWNER");
	await owner("POST", "/members/invitations", { email: "grace@example.com", role: "SUPPORT" });
	const [{ id }] = w.db.$client.query<{ id: string }, []>("SELECT id FROM tasks").all() as [{ id: string }];
	expect((await w.call("GET", `/tasks/${id}`)).status).toBe(404);
	await send();
	expect(w.db.$client.query("SELECT * FROM outbox_events WHERE type LIKE 'task.%'").all()).toEqual([]);
	expect((await calling(w, "session-none")("GET", "/me")).status).toBe(401);
});
