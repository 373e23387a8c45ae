import { closingCents, euros, type StatementOf } from "./movements";

/** Three banks' ways to write MT940 and three to write CSV, as complete files. */

const short = (day: string): string => day.slice(2).replaceAll("-", "");
const mark = (cents: number): string => (cents < 0 ? "D" : "C");
const balance = (cents: number, day: string): string => `${mark(cents)}${short(day)}EUR${euros(cents, ",")}`;

/** Cuts a text into pieces of a width. */
const pieces = (text: string, width: number): string[] => text.match(new RegExp(`.{1,${width}}`, "gs")) ?? [];

/** A German bank: the account as bank code and number, parts ?20 to ?63 of 27 characters with the words of SEPA, CRLF. */
export function* germanMt940(statement: StatementOf): Generator<string> {
	yield `\r\n:20:STARTUMS\r\n:25:${statement.iban.slice(4, 12)}/${statement.iban.slice(12)}\r\n:28C:${statement.number}/1\r\n:60F:${balance(statement.openingCents, "2026-02-01")}\r\n`;
	for (const one of statement.movements) {
		const purpose = `EREF+${one.endToEndId} SVWZ+${one.text}`;
		const parts = pieces(purpose, 27).map((part, at) => `?${at < 10 ? 20 + at : 50 + at}${part}`);
		const name = pieces(one.name, 27).map((part, at) => `?${32 + at}${part}`);
		const field = `166?00GUTSCHRIFT?109251${parts.join("")}?30GENODEF1XXX?31${one.iban}${name.join("")}?34997`;
		yield `:61:${short(one.day)}${short(one.day).slice(2)}${mark(one.cents)}R${euros(one.cents, ",")}NTRFNONREF//${one.bankReference}\r\n:86:${pieces(field, 65).join("\r\n")}\r\n`;
	}
	yield `:62F:${balance(closingCents(statement), "2026-02-02")}\r\n-\r\n`;
}

/** A Dutch bank: SWIFT blocks, the IBAN as the account, words between slashes. */
export function* dutchMt940(statement: StatementOf): Generator<string> {
	yield `{1:F01INGBNL2ABXXX0000000000}{2:I940INGBNL2AXXXN}{4:\n:20:P260202000000001\n:25:${statement.iban}EUR\n:28C:${String(statement.number).padStart(5, "0")}\n:60F:${balance(statement.openingCents, "2026-02-01")}\n`;
	for (const one of statement.movements) {
		const remittance = one.reference === "" ? `USTD//${one.text}/` : `STRD/CUR/${one.reference}/`;
		const field = `/EREF/${one.endToEndId}//CNTP/${one.iban}/INGBNL2A/${one.name}/AMSTERDAM//REMI/${remittance}`;
		yield `:61:${short(one.day)}${short(one.day).slice(2)}${mark(one.cents)}${euros(one.cents, ",")}NTRFEREF//${one.bankReference}\n/TRCD/00100/\n:86:${pieces(field, 65).join("\n")}\n`;
	}
	yield `:62F:${balance(closingCents(statement), "2026-02-02")}\n:64:${balance(closingCents(statement), "2026-02-02")}\n:86:/SUM/2/3/\n-}`;
}

/** An Austrian bank: separator other than "?", words at the start of each part, the account with its currency. */
export function* austrianMt940(statement: StatementOf): Generator<string> {
	yield `:20:${statement.number}\n:21:NONREF\n:25:${statement.iban}\n:28C:${statement.number}/001\n:60F:${balance(statement.openingCents, "2026-02-01")}\n`;
	for (const one of statement.movements)
		yield `:61:${short(one.day)}${short(one.day).slice(2)}${mark(one.cents)}${euros(one.cents, ",")}N051NONREF//${one.bankReference}\n:86:166>00SEPA>20EREF+${one.endToEndId}${pieces(
			`SVWZ+${one.text}`,
			27,
		)
			.map((part, at) => `>${21 + at}${part}`)
			.join("")}>31${one.iban}>32${one.name}\n`;
	yield `:62F:${balance(closingCents(statement), "2026-02-02")}\n`;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A bank with semicolons, decimal commas, grouped thousands, two lines before the names, newest first, Windows-1252. */
export function* semicolonCsv(statement: StatementOf): Generator<string> {
	yield `Umsatzanzeige;erstellt am 02.02.2026\r\n\r\nBuchung;Valuta;Auftraggeber;IBAN;Verwendungszweck;Saldo;Betrag;Währung;Referenz\r\n`;
	let cents = closingCents(statement);
	for (const one of statement.movements.toReversed()) {
		yield `${german(one.day)};${german(one.day)};${quoted(one.name)};${one.iban};${quoted(one.text)};${grouped(cents)};${grouped(one.cents)};EUR;${one.endToEndId}\r\n`;
		cents -= one.cents;
	}
}

const german = (day: string): string => day.split("-").reverse().join(".");
const grouped = (cents: number): string =>
	(cents < 0 ? "-" : "") + euros(cents, ",").replace(/\B(?=(\d{3})+(?=,))/g, ".");

/** A bank with commas, all cells quoted, two columns of amounts, a byte order mark, quotes and line breaks within cells. */
export function* commaCsv(statement: StatementOf): Generator<string> {
	yield `\ufeff"Date","Paid in","Paid out","Name","Account","Details","Reference"\n`;
	for (const one of statement.movements)
		yield `${[one.day, one.cents > 0 ? euros(one.cents) : "", one.cents < 0 ? euros(one.cents) : "", one.name, one.iban, one.text.replace(" ", "\n"), one.endToEndId].map(quoted).join(",")}\n`;
}

/** A bank with tabs, an indicator of the direction, dates without separators. */
export function* tabCsv(statement: StatementOf): Generator<string> {
	yield `Datum\tAf Bij\tBedrag\tNaam\tTegenrekening\tMededelingen\tKenmerk\n`;
	for (const one of statement.movements)
		yield `${[one.day.replaceAll("-", ""), one.cents < 0 ? "Af" : "Bij", euros(one.cents, ","), one.name, one.iban, one.text, one.endToEndId].join("\t")}\n`;
}
