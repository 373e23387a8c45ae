import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, sum, toDecimal } from "../../../kernel/decimal";
import type { MailWriting } from "../../invoices/document/operations.writing";
import { groupedReference } from "../../invoices/document/rules.creditor-reference";
import type { InvoiceIssuer } from "../../invoices/schema.party";
import type { Placeholder } from "../policies/rules";
import type { ReminderText } from "../policies/schema";
import type { MailLanguage, ReminderKind } from "../policies/schema.values";
import { defaultText, type MailWords, words } from "./texts";
import type { MailText } from "./texts.charges";

/** An invoice as a mail names it. */
export interface RemindedInvoice {
	readonly number: string;
	readonly dueAt: Instant;
	/** In major units, above zero. */
	readonly amountDue: Decimal;
	readonly currency: string;
	readonly reference: string | null;
	/** When Tollgate charges it again; null for a mail that names no time. */
	readonly nextAt: Instant | null;
}

export interface Reminder {
	readonly kind: ReminderKind;
	readonly customerName: string;
	readonly issuer: Pick<InvoiceIssuer, "name" | "bankAccount" | "paymentText">;
	/** At least one, in the order of their due dates. */
	readonly invoices: readonly RemindedInvoice[];
	/** Where the customer acts about an invoice, by its number. */
	readonly links: ReadonlyMap<string, string>;
	/** The texts of the policy. */
	readonly texts: readonly ReminderText[];
	readonly writing: MailWriting<MailLanguage>;
}

/** The invoices that a subject names; the others are a number. */
const namedInSubject = 3;

/** Returns the subject and the text of a reminder, in plain text. */
export function composeReminder(reminder: Reminder): MailText {
	const { kind, texts, writing, invoices } = reminder;
	const { language } = writing;
	const { subject, text } =
		texts.find((one) => one.kind === kind && one.language === language) ?? defaultText(language, kind);
	const numbers = invoices.map(({ number }) => number);
	const further = numbers.length - namedInSubject;
	const values = {
		customer: inOneLine(reminder.customerName),
		seller: inOneLine(reminder.issuer.name),
		total: totalOf(reminder),
		invoices: invoices.map((invoice) => lineOf(invoice, reminder)).join("\n"),
		payment: paymentOf(reminder, words[language]),
		link: linksOf(reminder),
	};
	const named = numbers.slice(0, namedInSubject).join(", ") + (further > 0 ? ` + ${further}` : "");
	return {
		subject: inOneLine(filled(subject, { ...values, invoices: named, payment: "", link: "" })).slice(0, 250),
		// A part without a value leaves no gap.
		text: filled(text, values).replace(/\n{3,}/g, "\n\n"),
	};
}

/** Replaces all placeholders at once, so that a value is never read as a placeholder. */
const filled = (text: string, values: Readonly<Record<Placeholder, string>>): string =>
	text.replace(/\{(\w+)\}/g, (place, name: string) => (isPlaceholder(name, values) ? values[name] : place));

const isPlaceholder = (name: string, values: Readonly<Record<Placeholder, string>>): name is Placeholder =>
	Object.hasOwn(values, name);

/** Names are chosen by callers: they begin no line of a mail. */
const inOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** The addresses; with several invoices, each after its number. */
function linksOf({ invoices, links }: Reminder): string {
	const named = invoices.flatMap(({ number }) => {
		const link = links.get(number);
		return link === undefined ? [] : [invoices.length === 1 ? link : `${number}: ${link}`];
	});
	return named.join("\n");
}

function lineOf(
	{ number, amountDue, currency, dueAt, reference, nextAt }: RemindedInvoice,
	{ writing }: Reminder,
): string {
	const { language, formats } = writing;
	const parts = [number, formats.moneyAlone(amountDue, currency), `${words[language].due} ${formats.date(dueAt)}`];
	if (nextAt !== null) return [...parts, `${words[language].next} ${formats.date(nextAt)}`].join(" · ");
	return [...parts, ...(reference === null ? [] : [groupedReference(reference)])].join(" · ");
}

/** The sums of the currencies. */
function totalOf({ invoices, writing }: Reminder): string {
	const byCurrency = Map.groupBy(invoices, ({ currency }) => currency);
	return [...byCurrency]
		.map(([currency, of]) => {
			const total = toDecimal(sum(of.map(({ amountDue }) => exact(amountDue))));
			return writing.formats.moneyAlone(total, currency);
		})
		.join(" + ");
}

function paymentOf({ issuer, invoices }: Reminder, { account, reference }: MailWords): string {
	const { bankAccount, paymentText } = issuer;
	const [only, ...others] = invoices;
	const stated = others.length === 0 ? (only?.reference ?? null) : null;
	const lines = bankAccount
		? [
				`${account}: ${[bankAccount.iban, bankAccount.bic, bankAccount.bankName].filter(Boolean).join(", ")}`,
				...(stated === null ? [] : [`${reference}: ${groupedReference(stated)}`]),
			]
		: [];
	return [...lines, ...(paymentText ? [paymentText] : [])].join("\n");
}
