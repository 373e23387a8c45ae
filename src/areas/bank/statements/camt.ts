import { type Decimal, exact, sum, toDecimal } from "../../../kernel/decimal";
import { shorten } from "../../../kernel/errors";
import { type Details, detailsOf, readDetails } from "./camt-details";
import { XmlNode } from "./camt-nodes";
import {
	accountOrNull,
	amountAt,
	currencyAt,
	dayAt,
	negated,
	refuse,
	type StatementEntry,
	type StatementEvent,
	textOrNull,
} from "./rules.statement";
import { scanXml, type XmlPiece } from "./xml";

/** The messages that Tollgate reads: statements (053) and notifications (054), in three versions of each. */
const messages: ReadonlySet<string> = new Set(
	["053", "054"].flatMap((kind) => ["02", "04", "08"].map((version) => `camt.${kind}.001.${version}`)),
);

const bodies: ReadonlySet<string> = new Set(["BkToCstmrStmt", "BkToCstmrDbtCdtNtfctn"]);
const statements: ReadonlySet<string> = new Set(["Stmt", "Ntfctn"]);
const headFields: ReadonlySet<string> = new Set(["Id", "ElctrncSeqNb", "LglSeqNb", "Acct", "Bal"]);

/** Follows the path to an entry, and cuts out the fields of a statement, the fields of an entry, and each of its details. */
function follow(path: readonly string[]): "FOLLOW" | "CUT" | "SKIP" {
	const [, body = "", statement = "", field = "", inEntry = "", detail = ""] = path;
	if (path.length === 1) return "FOLLOW";
	if (!bodies.has(body)) return "SKIP";
	if (path.length === 2) return "FOLLOW";
	if (!statements.has(statement)) return "SKIP";
	if (path.length === 3) return "FOLLOW";
	if (field !== "Ntry") return headFields.has(field) ? "CUT" : "SKIP";
	if (path.length === 4) return "FOLLOW";
	if (inEntry !== "NtryDtls") return "CUT";
	if (path.length === 5) return "FOLLOW";
	return detail === "TxDtls" ? "CUT" : "SKIP";
}

/** The fields of an entry that is being read. */
interface ReadEntry {
	readonly line: number;
	readonly fields: string[];
	readonly details: Details[];
}

/** The head of a statement, which ends with the first entry. */
interface ReadHead {
	readonly line: number;
	readonly fields: string[];
	isOpened: boolean;
	account: Account;
	balances: { opening: Decimal | null; closing: Decimal | null };
}

interface Account {
	readonly number: string;
	readonly currency: string | null;
}

/** Reads CAMT.053 and CAMT.054, versions .02, .04 and .08. */
export function* readCamt(texts: Iterable<string>): Generator<StatementEvent> {
	let head: ReadHead | undefined;
	let entry: ReadEntry | undefined;
	for (const piece of scanXml(texts, follow)) {
		if (piece.kind === "START") {
			if (piece.name === "Document" || piece.tag.includes("xmlns")) assertMessage(piece);
			if (statements.has(piece.name)) head = newHead(piece.line);
			if (piece.name === "Ntry" && head) {
				if (!head.isOpened) yield openedOf(head);
				entry = { line: piece.line, fields: [], details: [] };
			}
		} else if (piece.kind === "CUT") {
			if (!entry) head?.fields.push(piece.xml);
			else if (piece.name === "TxDtls") {
				entry.details.push(readDetails(XmlNode.of(piece.line, piece.xml)));
				yield { kind: "PROGRESS" };
			} else entry.fields.push(piece.xml);
		} else if (piece.name === "Ntry" && entry && head) {
			yield* entriesOf(entry, head.account);
			entry = undefined;
		} else if (statements.has(piece.name) && head) {
			if (!head.isOpened) yield openedOf(head);
			yield { kind: "CLOSED", line: piece.line, balances: head.balances };
			head = undefined;
		}
	}
}

/** The first element with a namespace names the message. */
function assertMessage({ tag, line }: Extract<XmlPiece, { tag: string }>): void {
	const namespace = /xmlns(?::[\w.-]+)?\s*=\s*["']urn:iso:std:iso:20022:tech:xsd:([\w.]+)["']/.exec(tag)?.[1];
	if (namespace === undefined || !messages.has(namespace))
		throw refuse(
			line,
			`the message is ${namespace ? `'${shorten(namespace)}'` : "not of ISO 20022"}; Tollgate reads ${[...messages].join(", ")}.`,
		);
}

const newHead = (line: number): ReadHead => ({
	...{ line, fields: [], isOpened: false, account: { number: "", currency: null } },
	balances: { opening: null, closing: null },
});

/** Reads the fields before the first entry, and returns the event. */
function openedOf(head: ReadHead): StatementEvent {
	const { line } = head;
	const node = XmlNode.of(line, `<head>${head.fields.join("")}</head>`).find("head");
	head.isOpened = true;
	head.fields.length = 0;
	const account = node?.find("Acct");
	const number = accountOrNull(account?.text("Id", "IBAN") ?? account?.text("Id", "Othr", "Id"));
	if (!node || number === null) throw refuse(line, "the statement names no account (Acct/Id).");
	const stated = account?.text("Ccy");
	head.account = { number, currency: stated === undefined ? null : currencyAt(line, stated) };
	head.balances = balancesOf(node, line);
	const sequence = node.text("ElctrncSeqNb") ?? node.text("LglSeqNb");
	return {
		kind: "OPENED",
		line,
		head: {
			...{ account: number, currency: head.account.currency, number: textOrNull(node.text("Id")) },
			sequence: sequence !== undefined && /^[0-9]{1,15}$/.test(sequence) ? Number(sequence) : null,
		},
	};
}

/** The codes of balances: the booked balance before the entries, and after them. ITBD is that of a part of a statement. */
const openings = ["OPBD", "PRCD"];
const closings = ["CLBD"];

function balancesOf(head: XmlNode, line: number): ReadHead["balances"] {
	const balances = head.children("Bal").map((node) => {
		const code = node.text("Tp", "CdOrPrtry", "Cd") ?? "";
		const amount = node.find("Amt");
		const currency = amount?.attribute("Ccy");
		const value = amountAt(line, amount?.text() ?? "", currency === undefined ? null : currencyAt(line, currency));
		return { code, value: node.text("CdtDbtInd") === "DBIT" ? negated(value) : value };
	});
	const first = (codes: readonly string[]) =>
		codes.flatMap((code) => balances.filter((one) => one.code === code)).at(0)?.value ?? null;
	const parts = balances.filter(({ code }) => code === "ITBD").map(({ value }) => value);
	const closing = first(closings);
	// A statement in parts has interim balances: the earlier one opens, the last one closes.
	return {
		opening: first(openings) ?? parts.at(0) ?? null,
		closing: closing ?? (parts.length > 0 ? (parts.at(-1) ?? null) : null),
	};
}

/** Returns the booked movements of an entry: its details if they have amounts that sum to the entry, otherwise the entry. */
function* entriesOf({ line, fields, details }: ReadEntry, account: Account): Generator<StatementEvent> {
	const node = XmlNode.of(line, `<Ntry>${fields.join("")}</Ntry>`).find("Ntry");
	if (!node) throw refuse(line, "the entry is empty.");
	const status = node.text("Sts", "Cd") ?? node.text("Sts");
	if (status !== undefined && status !== "BOOK") return;
	const stated = node.find("Amt");
	const currency = currencyAt(line, stated?.attribute("Ccy") ?? account.currency ?? "");
	const size = amountAt(line, stated?.text() ?? "", currency);
	const amount = isDebit(node, line) ? negated(size) : size;
	const booked = node.find("BookgDt");
	const bookedOn = dayOf(booked, line);
	if (bookedOn === null) throw refuse(line, "the entry has no booking date (BookgDt).");
	const entry = {
		...{ currency, bookedOn, valueOn: dayOf(node.find("ValDt"), line) },
		isReversal: node.text("RvslInd") === "true" || node.text("RvslInd") === "1",
		bankReference: textOrNull(node.text("AcctSvcrRef") ?? node.text("NtryRef")),
		additional: textOrNull(node.text("AddtlNtryInf")),
	};
	const parts = partsOf(details, amount, currency);
	for (const part of parts) yield { kind: "ENTRY", line, entry: entryOf(entry, part, account) };
}

interface Part {
	readonly amount: Decimal;
	readonly details: Details | undefined;
}

function partsOf(details: readonly Details[], amount: Decimal, currency: string): Part[] {
	if (details.length < 2) return [{ amount, details: details[0] }];
	const isOut = amount.startsWith("-");
	const parts = details.flatMap((one) => {
		if (one.amount === null || (one.currency ?? currency) !== currency) return [];
		return [{ amount: (one.isDebit ?? isOut) ? negated(one.amount) : one.amount, details: one }];
	});
	const isWhole = parts.length === details.length && sum(parts.map((part) => exact(part.amount))).eq(amount);
	return isWhole ? parts : [{ amount, details: undefined }];
}

function entryOf(
	{
		additional,
		bankReference,
		...entry
	}: Pick<StatementEntry, "currency" | "bookedOn" | "valueOn" | "isReversal" | "bankReference"> & {
		readonly additional: string | null;
	},
	{ amount, details }: Part,
	account: Account,
): StatementEntry {
	const more = detailsOf(details, !amount.startsWith("-"), account.number);
	return {
		...{ ...entry, ...more, amount: toDecimal(exact(amount)) },
		bankReference: bankReference ?? details?.bankReference ?? null,
		text: more.text === "" ? (additional ?? "") : more.text,
	};
}

function isDebit(node: XmlNode, line: number): boolean {
	const direction = node.text("CdtDbtInd");
	if (direction !== "CRDT" && direction !== "DBIT") throw refuse(line, "the entry has no direction (CdtDbtInd).");
	return direction === "DBIT";
}

/** Returns the day of a date or of a date with time; the bank's own day, not converted to another zone. */
function dayOf(node: XmlNode | undefined, line: number): string | null {
	const text = node?.text("Dt") ?? node?.text("DtTm");
	if (text === undefined) return null;
	const [, year, month, day] = /^([0-9]{4})-([0-9]{2})-([0-9]{2})/.exec(text.trim()) ?? [];
	if (day === undefined) throw refuse(line, `'${shorten(text)}' is no date, such as 2026-02-01.`);
	return dayAt(line, Number(year), Number(month), Number(day));
}
