import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { reminderToSend } from "../../../../src/areas/dunning/mails/operations";
import { openLog } from "../../../../src/http/log";
import { MailSender } from "../../../../src/mail/send";
import { sweepTurn } from "../../../../src/scheduler/sweep";
import { drainTasks } from "../../../../src/workers/task-thread";
import { smtpServer } from "../../../mail/smtp";
import { decimal, instant, line } from "../../invoices/samples";
import { dunningSite } from "../site";

let server: Awaited<ReturnType<typeof smtpServer>>;
beforeAll(async () => {
	server = await smtpServer();
});
afterAll(() => server.close());

/** A site on the wall clock, where mails are sent: the clock of the test is released. */
async function releasedSite(customer: object = {}) {
	const site = await dunningSite({ reminders: [0] }, customer);
	site.clock.at = instant("2026-02-01T12:00:00Z");
	await site.send("DELETE", "/environments/current/clock");
	const run = async (settings: typeof site.services.api.mail) => {
		for (const turn of ["notice", "reminder"]) {
			expect(turn).toBeString();
			await sweepTurn({ ...site.thread, actor: site.actor, onStep: () => {} });
		}
		const { write, outgoing } = site.services;
		const readReminder = (id: string) => site.transactions.read(systemActor(""), (work) => reminderToSend(work, id));
		const sender = new MailSender({
			folderSecret: outgoing.folderSecret,
			settings,
			write,
			readReminder,
			readAnnouncement: () => undefined,
		});
		await drainTasks(site.transactions, ["SEND_MAIL"], (task) => sender.send(task), openLog("silent"), write);
	};
	const bill = () => site.issue({ lines: [line({ amount: decimal(100) })], dueAt: instant("2026-02-01T00:00:00Z") });
	return { ...site, run, issueNow: bill, settings: { url: server.url, from: "Acme <billing@acme.example>" } };
}

describe("a reminder on the wall clock", () => {
	test("is sent once, to the customer, in its language", async () => {
		const site = await releasedSite({ language: "de-AT" });
		const invoice = site.issueNow();
		await site.run(site.settings);
		await site.run(site.settings);
		expect(server.received).toMatchObject([{ to: ["books@cust-1.example"], from: "billing@acme.example" }]);
		expect((await site.mails())[0]).toMatchObject({
			...{ status: "SENT", language: "de", kind: "DUE", recipient: "books@cust-1.example" },
			...{ subject: `${invoice.number} ist fällig`, invoiceIds: [invoice.id] },
		});
		expect((await site.mails())[0].text).toContain("Guten Tag cust-1 Ltd,");
	});

	test("without a mail server or an address it is not sent, and says why", async () => {
		const site = await releasedSite();
		site.issueNow();
		await site.run(undefined);
		await site.send("PATCH", "/customers/cust-1", { email: null });
		site.issueNow();
		await site.run(site.settings);
		expect((await site.mails()).map(({ status }: { status: string }) => status)).toEqual([
			"NO_MAIL_SERVER",
			"NO_ADDRESS",
		]);
	});
});
