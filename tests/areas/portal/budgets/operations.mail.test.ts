import { afterEach, beforeEach, expect, test } from "bun:test";
import { openLog } from "../../../../src/http/log";
import { MailSender } from "../../../../src/mail/send";
import { drainTasks } from "../../../../src/workers/task-thread";
import { mutate } from "../../../graphql/mutate";
import { smtpServer } from "../../../mail/smtp";
import { must, type Site, site } from "../../governance/site";
import { type Call, callBy, portalOf } from "../links";

const publicUrl = "https://billing.example.com";
const ada = { email: "ada@acme.example", personId: "ada" };

/** The team `research` (10 tokens), whose approver is Ada, has the agent `drafter` (4). */
let ours: Site;
let mails: Awaited<ReturnType<typeof smtpServer>>;
beforeEach(async () => {
	mails = await smtpServer();
	ours = await site({ publicUrl, mail: { url: mails.url, from: "billing@example.com" } });
	await approver(ada);
	await ours.budget(
		{ entityId: "research", usageLimit: 10 },
		{ entityId: "drafter", parentId: "research", usageLimit: 4 },
	);
});
afterEach(() => mails.close());

const approver = (one: object | null) =>
	must(
		ours.call("PUT", `${ours.beta}/customers/acme/entities`, {
			body: { entities: [{ id: "research", approver: one }] },
		}),
	);
const body = { entityId: "drafter", featureId: "tokens", amount: 3, duration: "PERIOD" };
const request = async (more: object = {}) =>
	(await must(ours.call("POST", "/customers/acme/budget-requests", { body: { ...body, ...more } }))).body.data.id;

async function received() {
	const { write, api, outgoing, transactions } = { ...ours.services, transactions: ours.transactions };
	const sender = new MailSender({
		folderSecret: outgoing.folderSecret,
		settings: api.mail,
		write,
		readReminder: () => undefined,
		readAnnouncement: () => undefined,
	});
	await drainTasks(transactions, ["SEND_MAIL"], (task) => sender.send(task), openLog("silent"), write);
	return mails.received;
}

/** The request and the token of a mail's link. */
function linkIn({ text }: { readonly text: string }): { readonly id: string; readonly call: Call } {
	const plain = text.replace(/=\r?\n/g, "").replaceAll("=3D", "=");
	const [, id = "", token = ""] = /billing\.example\.com\/portal\?request=([^#\s]+)#(\S+)/.exec(plain) ?? [];
	return { id, call: callBy(ours, token) };
}
const outcome = ({ status, body }: { readonly status: number; readonly body: { readonly code?: string } }) => [
	status,
	body.code ?? null,
];
const approve = (call: Call, id: string, more: object = {}) =>
	call("POST", `/portal/budget-requests/${id}/approve`, more);

test("a request mails a link to the approver of the parent, which approves a part and nothing else", async () => {
	const id = await request({ reason: "See https://evil.example" });
	const other = await request();
	const [mail] = await received();
	expect(mail?.to).toEqual([ada.email]);
	expect(mail?.text).toContain("drafter (acme) requests 3 more of tokens, for the current period.");
	expect(mail?.text).not.toContain("evil");
	const link = linkIn(mail ?? { text: "" });
	expect(link.id).toBe(id);
	const stored = JSON.stringify([
		ours.db.$client.query("SELECT * FROM customer_sessions").all(),
		ours.db.$client.query("SELECT * FROM tasks").all(),
	]);
	expect(stored).not.toContain("portal-");
	const shown = (await link.call("GET", "/portal/budget-requests")).body.data;
	expect(shown.map((one: { id: string; isDecidable: boolean }) => [one.id, one.isDecidable]).sort()).toEqual(
		[
			[id, true],
			[other, false],
		].sort(),
	);
	expect((await ours.consume(5, { agentId: "drafter" })).body.data.isGranted).toBe(false);
	expect(outcome(await approve(link.call, other))).toEqual([403, "AccessDeniedError"]);
	const change = { featureId: "tokens", usageLimit: 99 };
	expect(outcome(await link.call("PATCH", "/portal/budgets/drafter", change))).toEqual([403, "AccessDeniedError"]);
	expect(outcome(await link.call("GET", "/portal"))).toEqual([403, "AccessDeniedError"]);
	expect((await approve(link.call, id, { amount: 2 })).body.data).toMatchObject({
		approvedAmount: 2,
		isDecidable: false,
	});
	expect(outcome(await approve(link.call, id))).toEqual([400, "InvalidArgumentError"]);
	expect((await ours.consume(6, { agentId: "drafter" })).body.data.isGranted).toBe(true);
	const entries = (await ours.call("GET", "/audit-log?limit=5")).body.data;
	expect(JSON.stringify(entries)).toContain('"ada"');
});

test("opening the link reads only", async () => {
	const id = await request();
	const [mail] = await received();
	const { call } = linkIn(mail ?? { text: "" });
	const before = ours.db.$client.query("SELECT status FROM budget_requests").all();
	for (const path of ["/portal/session", "/portal/budgets", "/portal/budget-requests"])
		expect((await call("GET", path)).status).toBe(200);
	for (const verb of ["approve", "decline"])
		expect((await call("GET", `/portal/budget-requests/${id}/${verb}`)).status).toBeGreaterThanOrEqual(404);
	expect(ours.db.$client.query("SELECT status FROM budget_requests").all()).toEqual(before);
});

test("the link ends with the approver, and after seven days", async () => {
	const id = await request();
	const [mail] = await received();
	const { call } = linkIn(mail ?? { text: "" });
	const changed = await approver({ email: "grace@acme.example" });
	expect(changed.body.data[0].approver).toEqual({ email: "grace@acme.example" });
	expect(outcome(await approve(call, id))).toEqual([403, "AccessDeniedError"]);
	await approver(null);
	expect(outcome(await call("GET", "/portal/budgets"))).toEqual([403, "AccessDeniedError"]);
	await approver(ada);
	ours.db.$client.run("UPDATE customer_sessions SET expires_at = 0");
	expect((await approve(call, id)).status).toBe(401);
});

test("a person gets no mail about their own request: the approver above does", async () => {
	await ours.budget({ entityId: "reviewer", parentId: "drafter", usageLimit: 1 });
	const put = { entities: [{ id: "drafter", approver: { email: "bob@acme.example", personId: "bob" } }] };
	await must(ours.call("PUT", `${ours.beta}/customers/acme/entities`, { body: put }));
	const bob = await portalOf(ours, "acme", { budgets: "VIEW", personId: "bob" });
	await must(bob("POST", "/portal/budget-requests", { ...body, entityId: "reviewer" }));
	expect((await received()).map(({ to }) => to)).toEqual([[ada.email]]);
	const query = "createGovernanceBudgetRequest";
	await mutate(ours, query, { customerId: "acme", ...body, entityId: "reviewer" }, { selection: "{ id }" });
	expect((await received()).map(({ to }) => to)).toEqual([[ada.email], ["bob@acme.example"]]);
});

test("without an approver, or without a parent, nobody gets a mail", async () => {
	await request({ entityId: "research" });
	await approver(null);
	await request();
	expect(await received()).toEqual([]);
	const [entity] = (await ours.call("GET", "/customers/acme/entities?entityTypeId=team")).body.data;
	expect(entity).not.toHaveProperty("approver");
});
