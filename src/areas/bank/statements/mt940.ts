import { type Decimal, exact, plus, toDecimal, zero } from "../../../kernel/decimal";
import { shorten } from "../../../kernel/errors";
import { informationOf } from "./mt940-information";
import { type Line, linesOf } from "./rules.source";
import {
	accountOrNull,
	amountAt,
	currencyAt,
	dayAt,
	negated,
	refuse,
	refuseCut,
	type StatementEvent,
	textOrNull,
} from "./rules.statement";

/** Our bound: a field :86: has at most 6 × 65 characters; some banks send more. */
const fieldMax = 10_000;

/** A field of a message: its tag such as "61", its text with its lines, and the line on which it begins. */
interface Field {
	readonly tag: string;
	readonly line: number;
	readonly text: string;
}

/** Splits lines into fields. A line that begins with no tag continues the field before it; "-" and blocks in braces end a message. */
function* fieldsOf(lines: Iterable<Line>): Generator<Field> {
	let open: { tag: string; line: number; texts: string[]; length: number } | undefined;
	const close = (): Field[] => (open ? [{ tag: open.tag, line: open.line, text: open.texts.join("\n") }] : []);
	for (const { at, text } of lines) {
		// A message may begin on the line of its block: {4:, :20:.
		const plain = text.replace(/^\{[1-5]:[^\n]*?\{4:/, "").replace(/^\{4:/, "");
		const isEnd = plain === "-" || plain === "-}" || /^(-\})?\{[1-5]:/.test(plain);
		const [, tag, first] = /^:([0-9]{2}[A-Z]?):([\s\S]*)$/.exec(plain) ?? [];
		if (tag !== undefined || isEnd) {
			yield* close();
			open = tag === undefined ? undefined : { tag, line: at, texts: [first ?? ""], length: plain.length };
			if (isEnd) yield { tag: "-", line: at, text: "" };
		} else if (open && plain !== "") {
			open.length += plain.length;
			if (open.length > fieldMax) throw refuse(at, `the field :${open.tag}: has more than ${fieldMax} characters.`);
			open.texts.push(plain);
		}
	}
	yield* close();
}

interface OpenStatement {
	readonly line: number;
	account: string | null;
	number: string | null;
	sequence: number | null;
	opening: Balance | null;
	/** The line of a field :61: whose :86: has not come. */
	waiting: Movement | undefined;
}

interface Balance {
	readonly amount: Decimal;
	readonly currency: string;
}

interface Movement {
	readonly line: number;
	readonly amount: Decimal;
	readonly bookedOn: string;
	readonly valueOn: string;
	readonly isReversal: boolean;
	readonly bankReference: string | null;
	readonly reference: string | null;
	readonly supplement: string;
}

/** Reads MT940: the fields :20:, :25:, :28C:, :60F:/:60M:, :61:, :86: and :62F:/:62M: of each message. */
export function* readMt940(texts: Iterable<string>): Generator<StatementEvent> {
	let open: OpenStatement | undefined;
	let last = 1;
	for (const field of fieldsOf(linesOf(texts))) {
		last = field.line;
		if (field.tag === "20") {
			if (open) throw refuseCut(field.line, "the closing balance (:62F:) of the statement before this line");
			open = newStatement(field.line);
		} else if (open) {
			const isClosing = field.tag === "62F" || field.tag === "62M";
			if ((field.tag === "61" || isClosing) && open.waiting) yield entryOf(open, undefined);
			yield* readField(open, field);
			if (isClosing) open = undefined;
			else if (field.tag === "-") throw refuseCut(field.line, "the closing balance (:62F:)");
		}
	}
	if (open) throw refuseCut(last, "the closing balance (:62F:)");
}

const newStatement = (line: number): OpenStatement => ({
	...{ line, account: null, number: null, sequence: null, opening: null, waiting: undefined },
});

function* readField(open: OpenStatement, { tag, line, text }: Field): Generator<StatementEvent> {
	switch (tag) {
		case "25":
			open.account = accountOrNull(text);
			return;
		case "28":
		case "28C": {
			open.number = textOrNull(text);
			const sequence = /^0*([0-9]{1,9})/.exec(text)?.[1];
			open.sequence = sequence === undefined || sequence === "0" ? null : Number(sequence);
			return;
		}
		case "60F":
		case "60M": {
			if (open.account === null) throw refuse(line, "the statement names no account (:25:).");
			open.opening = balanceOf(text, line);
			const { account, number, sequence } = open;
			yield { kind: "OPENED", line: open.line, head: { account, currency: open.opening.currency, number, sequence } };
			return;
		}
		case "61":
			if (!open.opening) throw refuse(line, "the movement precedes the opening balance (:60F:).");
			open.waiting = movementOf(text, line, open.opening.currency);
			return;
		case "86":
			// A field :86: after the closing balance, or without a movement, describes the statement.
			if (open.waiting) yield entryOf(open, text);
			return;
		case "62F":
		case "62M": {
			if (!open.opening) throw refuse(line, "the statement has no opening balance (:60F:).");
			const closing = balanceOf(text, line);
			if (closing.currency !== open.opening.currency)
				throw refuse(
					line,
					`the closing balance is in ${closing.currency}, the opening one in ${open.opening.currency}.`,
				);
			yield { kind: "CLOSED", line, balances: { opening: open.opening.amount, closing: closing.amount } };
			return;
		}
		default:
	}
}

/** "C260201EUR1234,56" */
function balanceOf(text: string, line: number): Balance {
	const [, mark, code = "", amount = ""] = /^([CD])[0-9]{6}([A-Z]{3})([0-9]{1,15},[0-9]{0,6})\s*$/.exec(text) ?? [];
	if (mark === undefined) throw refuse(line, `'${shorten(text)}' is no balance, such as C260201EUR1234,56.`);
	const currency = currencyAt(line, code);
	const size = amountAt(line, amount.replace(",", "."), currency);
	return { currency, amount: mark === "D" ? negated(size) : size };
}

/** "2602010202CR1234,56NTRFREF//BANKREF", then the supplement on the next line. */
function movementOf(text: string, line: number, currency: string): Movement | undefined {
	const [first = "", ...more] = text.split("\n");
	const [, date = "", booked, mark = "", size = "", rest = ""] =
		/^([0-9]{6})([0-9]{4})?(R?[CD]|E[CD])[A-Z]?([0-9]{1,15},[0-9]{0,6})[A-Z][A-Z0-9]{3}(.*)$/.exec(first) ?? [];
	if (mark === "")
		throw refuse(line, `':61:${shorten(first)}' is no movement, such as 2602010201C1234,56NTRFREF//BANK.`);
	// EC and ED announce a movement that is not booked yet.
	if (mark.startsWith("E")) return undefined;
	const year = 2000 + Number(date.slice(0, 2));
	const month = Number(date.slice(2, 4));
	const valueOn = dayAt(line, year, month, Number(date.slice(4)));
	const at = rest.indexOf("//");
	const amount = amountAt(line, size.replace(",", "."), currency);
	return {
		line,
		amount: mark === "D" || mark === "RC" ? negated(amount) : amount,
		valueOn,
		bookedOn: booked === undefined ? valueOn : bookedDay(booked, year, month, line),
		isReversal: mark.startsWith("R"),
		reference: textOrNull(at < 0 ? rest : rest.slice(0, at)),
		bankReference: textOrNull(at < 0 ? undefined : rest.slice(at + 2)),
		supplement: more.join(" "),
	};
}

/** The booking date has no year. Around New Year it belongs to the neighbouring year of the value date. */
function bookedDay(booked: string, year: number, month: number, line: number): string {
	const bookedMonth = Number(booked.slice(0, 2));
	const shift = bookedMonth - month > 6 ? -1 : month - bookedMonth > 6 ? 1 : 0;
	return dayAt(line, year + shift, bookedMonth, Number(booked.slice(2)));
}

function entryOf(open: OpenStatement, information: string | undefined): StatementEvent {
	const { waiting, opening } = open;
	if (!waiting || !opening) return { kind: "PROGRESS" };
	open.waiting = undefined;
	const { line, amount, supplement, reference, ...movement } = waiting;
	const { isStructured, ...more } = informationOf(information ?? "");
	return {
		kind: "ENTRY",
		line,
		entry: {
			...{ ...movement, ...more, amount: plus(zero, toDecimal(exact(amount))), currency: opening.currency },
			endToEndId: more.endToEndId ?? (isStructured ? null : reference),
			text: more.text === "" && !isStructured ? (textOrNull(supplement) ?? "") : more.text,
		},
	};
}
