import { accountOrNull, type StatementEntry, textOrNull } from "./rules.statement";

/** The details of a movement that a field :86: states. */
interface Information
	extends Pick<
		StatementEntry,
		"endToEndId" | "mandateId" | "creditorReference" | "returnCode" | "partyName" | "partyIban" | "text"
	> {
	readonly isStructured: boolean;
}

const nothing: Information = {
	...{ endToEndId: null, mandateId: null, creditorReference: null, returnCode: null },
	...{ partyName: null, partyIban: null, text: "", isStructured: false },
};

/**
 * Reads a field :86: in one of its three forms: "166?00…?20…?32…" with numbered parts, "/EREF/…/REMI/…" with words, or free text.
 */
export function informationOf(field: string): Information {
	const numbered = /^[0-9]{3}([^0-9A-Za-z\s])[0-9]{2}/.exec(field.replaceAll("\n", ""));
	if (numbered) return numberedParts(field.replaceAll("\n", ""), numbered[1] ?? "?");
	const joined = field.replaceAll("\n", "");
	if (/^\/[A-Z]{4}\//.test(joined)) return wordParts(joined);
	return { ...nothing, text: textOrNull(field.replaceAll("\n", " ")) ?? "" };
}

/** The width of a part of the purpose: a part that fills it may end within a word. */
const partWidth = 27;

/** The parts ?20 to ?29 and ?60 to ?63 are the purpose, ?31 the account, ?32 and ?33 the name. */
function numberedParts(field: string, separator: string): Information {
	const parts = new Map<number, string>();
	for (const part of field.slice(3).split(separator).slice(1)) {
		const number = Number(part.slice(0, 2));
		if (/^[0-9]{2}/.test(part)) parts.set(number, (parts.get(number) ?? "") + part.slice(2));
	}
	const purpose = [...parts].filter(([number]) => (number >= 20 && number <= 29) || (number >= 60 && number <= 63));
	const whole = joinParts(purpose.toSorted(([one], [other]) => one - other).map(([, text]) => text));
	const words = keywordsOf(whole);
	return {
		isStructured: true,
		endToEndId: textOrNull(words.get("EREF")?.replaceAll(" ", "")),
		mandateId: textOrNull(words.get("MREF")?.replaceAll(" ", "")),
		creditorReference: null,
		returnCode: returnCodeOf(whole),
		partyName: textOrNull([parts.get(32), parts.get(33)].filter((one) => one !== undefined).join("")),
		partyIban: accountOrNull(parts.get(31) ?? words.get("IBAN")),
		text: textOrNull(words.get("SVWZ") ?? (words.size === 0 ? whole : words.get(""))) ?? "",
	};
}

/** Joins the parts: one that fills its width continues in the next, any other ends with a space. */
const joinParts = (parts: readonly string[]): string =>
	parts.reduce((whole, part, at) => {
		const isFull = at > 0 && (parts[at - 1] ?? "").length >= partWidth;
		return at === 0 || isFull ? whole + part : `${whole} ${part}`;
	}, "");

const keywords = /(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|IBAN|BIC|COAM|OAMT|PURP)\+/g;

/** Splits a purpose at its words, such as "EREF+". The text before the first word has the key "". */
function keywordsOf(purpose: string): Map<string, string> {
	const found = [...purpose.matchAll(keywords)];
	const words = new Map<string, string>();
	if (found.length === 0) return words;
	words.set("", purpose.slice(0, found[0]?.index));
	found.forEach((match, at) => {
		const word = match[1] ?? "";
		if (!words.has(word)) words.set(word, purpose.slice(match.index + word.length + 1, found[at + 1]?.index));
	});
	return words;
}

const returnCodeOf = (text: string): string | null =>
	/\b(?:RETURN|R-?TRANSAKTION|RUECKLASTSCHRIFT|RÜCKLASTSCHRIFT|RSN|RTRN)\b[^A-Z0-9]{0,3}(?:[A-Z ]{0,20}\b)?(A[CMGB][0-9]{2}|M[DS][0-9]{2}|SL[0-9]{2}|FF[0-9]{2}|BE[0-9]{2}|CNOR|DNOR|RC[0-9]{2}|RR[0-9]{2})\b/i
		.exec(text)?.[1]
		?.toUpperCase() ?? null;

const slashWords =
	/\/(TRTP|TRCD|EREF|KREF|PREF|MARF|CSID|CNTP|IBAN|BIC|NAME|REMI|RTRN|PURP|ORDP|BENM|ISDT|ULTD|ULTC|ID|SVCL|EXCH|CHGS|OAMT)\//g;

/** "/TRTP/SEPA OVERBOEKING/IBAN/NL…/NAME/…/REMI/…/EREF/…", and "/CNTP/iban/bic/name/city//REMI/USTD//text/". */
function wordParts(field: string): Information {
	const found = [...field.matchAll(slashWords)];
	const words = new Map<string, string>();
	found.forEach((match, at) => {
		const word = match[1] ?? "";
		const text = field.slice(match.index + match[0].length, found[at + 1]?.index).replace(/\/+$/, "");
		if (!words.has(word)) words.set(word, text);
	});
	const [partyAccount, , partyName] = words.get("CNTP")?.split("/") ?? [];
	const remittance = words.get("REMI") ?? "";
	const structured = /^STRD\/(?:CUR|ISO)\/(.+)$/.exec(remittance)?.[1];
	return {
		isStructured: true,
		endToEndId: textOrNull(words.get("EREF")),
		mandateId: textOrNull(words.get("MARF")),
		creditorReference: accountOrNull(structured),
		returnCode: textOrNull(words.get("RTRN")),
		partyName: textOrNull(words.get("NAME") ?? partyName),
		partyIban: accountOrNull(words.get("IBAN") ?? partyAccount),
		text: structured === undefined ? (textOrNull(remittance.replace(/^USTD\/\//, "")) ?? "") : "",
	};
}
