import { expect, test } from "bun:test";
import { composeReminder, type Reminder } from "../../../../src/areas/dunning/mails/rules";
import { mailLanguages, reminderKinds } from "../../../../src/areas/dunning/policies/schema.values";
import { writingOf } from "../../../../src/areas/invoices/document/operations.writing";
import { acme, decimal, instant } from "../../invoices/samples";

const reminder = (language: string, changes: Partial<Reminder> = {}): Reminder => ({
	kind: "OVERDUE",
	customerName: "Globex",
	issuer: {
		name: "Acme",
		bankAccount: { iban: "DE89370400440532013000", bic: null, bankName: "Bank" },
		paymentText: null,
	},
	invoices: [
		{
			...{ number: "INV-1", dueAt: instant("2026-02-10T12:00:00Z"), amountDue: decimal("1234.5"), currency: "eur" },
			reference: "RF18539007547034",
			nextAt: null,
		},
	],
	texts: [],
	links: new Map(),
	writing: writingOf({ issuer: acme, customer: { ...acme, language } }, mailLanguages),
	...changes,
});

test("an English reminder names the invoice, the sum, the account and the reference", () => {
	expect(composeReminder(reminder("en"))).toEqual({
		subject: "Reminder: INV-1 is overdue",
		text: [
			...["Dear Globex,", "", "we have not received your payment of these invoices yet:", ""],
			...["INV-1 · €1,234.50 · due 10 Feb 2026 · RF18 5390 0754 7034", "", "Total: €1,234.50", ""],
			...["Please transfer the amount now.", ""],
			...["Account: DE89370400440532013000, Bank", "Reference: RF18 5390 0754 7034", ""],
			...["If you have paid in the meantime, please disregard this mail.", "", "Acme", ""],
		].join("\n"),
	});
});

test("a German one has German words and formats; a language without mails is English", () => {
	const german = composeReminder(reminder("de"));
	expect(german.subject).toBe("Zahlungserinnerung: INV-1 ist überfällig");
	expect(german.text).toContain("INV-1 · 1.234,50\u00a0€ · fällig 10.02.2026");
	expect(composeReminder(reminder("ja"))).toEqual(composeReminder(reminder("en")));
});

test("each tone and language has a text, in which every placeholder is replaced", () => {
	for (const kind of reminderKinds)
		for (const language of mailLanguages) {
			const { subject, text } = composeReminder(reminder(language, { kind }));
			expect([subject, text].join()).not.toMatch(/[{}]|\n{3}/);
			expect(text).toContain("Globex");
		}
});

test("a text of the policy replaces that of its tone and language only, and values are no placeholders", () => {
	const texts = [{ kind: "OVERDUE", language: "en", subject: "Pay {total}", text: "{customer}: {invoices}" }] as const;
	const one = reminder("en", { texts, customerName: "{total}\n{seller}" });
	expect(composeReminder(one)).toMatchObject({ subject: "Pay €1,234.50" });
	expect(composeReminder(one).text).toStartWith("{total} {seller}: INV-1");
	expect(composeReminder({ ...one, kind: "DUE" }).subject).toBe("INV-1 is due");
});

test("several invoices: sums by currency, references in the lines, at most three names in the subject", () => {
	const [first] = reminder("en").invoices;
	if (!first) throw new Error("there is one");
	const invoices = [1, 2, 3, 4, 5].map((at) => ({ ...first, number: `INV-${at}`, currency: at === 5 ? "usd" : "eur" }));
	const { subject, text } = composeReminder(reminder("en", { invoices }));
	expect(subject).toBe("Reminder: INV-1, INV-2, INV-3 + 2 is overdue");
	expect(text).toContain("Total: €4,938.00 + $1,234.50 USD");
	expect(text).not.toContain("Reference:");
});
