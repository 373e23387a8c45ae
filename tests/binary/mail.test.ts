import { afterAll, expect, test } from "bun:test";
import { smtpServer, tokenIn } from "../mail/smtp";
import { eventually, runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder, remove } = temporaryFolder();
afterAll(remove);

test("a password is reset by the link of a mail, which a mail server accepts after it first rejected it, after kill -9", async () => {
	const mails = await smtpServer({ user: "tollgate", refuses: 1 });
	const settings = {
		TOLLGATE_SMTP_URL: mails.url,
		TOLLGATE_MAIL_FROM: "Tollgate <billing@example.com>",
		TOLLGATE_PUBLIC_URL: "https://billing.example.com",
	};
	let server = await startServer(folder, settings);
	await runTollgate(folder, ["users", "create", "--email", "ada@example.com", "--password", "a long pass phrase"]);
	const email = "ada@example.com";
	const post = (path: string, body: object) => server.call("POST", path, body, "");
	expect((await post("/auth/password/reset-request", { email })).status).toBe(200);
	await server.kill();
	server = await startServer(folder, settings);
	const [mail] = await eventually(
		() => Promise.resolve(mails.received.length > 0 ? mails.received : undefined),
		30_000,
	);
	expect(mail).toMatchObject({ from: "billing@example.com", to: [email] });
	expect(mail?.text.replace(/=\r?\n/g, "")).toContain("https://billing.example.com/console/");
	const token = mail ? tokenIn(mail) : "";
	expect((await post("/auth/password/reset", { token, password: "another pass phrase" })).status).toBe(200);
	expect((await post("/auth/login", { email, password: "a long pass phrase" })).status).toBe(401);
	expect((await post("/auth/login", { email, password: "another pass phrase" })).status).toBe(200);
	await server.stop();
	expect(mails.received).toHaveLength(1);
	await mails.close();
}, 60_000);
