import { type Decimal, exact } from "../../../kernel/decimal";
import { endToEndIdOf, messageIdOf } from "../../direct-debit/rules";
import type { FileFormat } from "../../direct-debit/schema";
import type { DebitFileRow, DebitRow, FileGroup, MandateRow } from "../../direct-debit/table";

// The implementation guidelines of the scheme (EPC130 and EPC131) name the elements that a creditor's bank accepts; their order is that of the message's schema.

/** Returns an amount with two decimals. */
const moneyOf = (amount: Decimal): string => exact(amount).toFixed(2);

const letters: Readonly<Record<string, string>> = {
	...{
		ä: "ae",
		ö: "oe",
		ü: "ue",
		Ä: "Ae",
		Ö: "Oe",
		Ü: "Ue",
		ß: "ss",
		æ: "ae",
		Æ: "Ae",
		ø: "o",
		Ø: "O",
		å: "a",
		Å: "A",
	},
	...{ œ: "oe", Œ: "Oe", đ: "d", Đ: "D", ł: "l", Ł: "L", ı: "i", þ: "th", Þ: "Th", ð: "d", Ð: "D", "&": "+", _: "-" },
};

/** Returns a text in the characters that all banks transfer (EPC217-08), at most `max` of them. Others become a point. */
export function sepaText(text: string, max: number): string {
	const plain = [...text]
		.map((letter) => letters[letter] ?? letter)
		.join("")
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.replace(/[^A-Za-z0-9/?:().,'+ -]/g, ".")
		.replace(/\s+/g, " ")
		.trim()
		.slice(0, max)
		.trim();
	// A slash may not begin, end or repeat.
	return plain.replace(/^[/ ]+|[/ ]+$/g, "").replace(/\/{2,}/g, "/") || ".";
}

const element = (name: string, text: string): string => `<${name}>${text.replaceAll("'", "&apos;")}</${name}>`;

/** Returns a bank by its BIC, or the text that states none. */
function bankOf(bic: string | null, format: FileFormat): string {
	const id = bic === null ? "<Othr><Id>NOTPROVIDED</Id></Othr>" : element(bicNameOf(format), bic);
	return `<FinInstnId>${id}</FinInstnId>`;
}

const bicNameOf = (format: FileFormat): string => (format === "pain.008.001.08" ? "BICFI" : "BIC");

type Head = Pick<DebitFileRow, "id" | "format" | "creditor" | "debitsCount" | "total" | "createdAt">;

/** Returns the begin of a file: the message and its sums. */
export function headOf({ id, format, creditor, debitsCount, total, createdAt }: Head): string {
	const at = new Date(createdAt).toISOString().slice(0, 19);
	return [
		'<?xml version="1.0" encoding="UTF-8"?>\n',
		`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${format}">\n<CstmrDrctDbtInitn>\n<GrpHdr>`,
		...[element("MsgId", messageIdOf(id)), element("CreDtTm", `${at}Z`), element("NbOfTxs", `${debitsCount}`)],
		...[element("CtrlSum", moneyOf(total)), `<InitgPty>${element("Nm", sepaText(creditor.name, 70))}</InitgPty>`],
		"</GrpHdr>\n",
	].join("");
}

export const tail = "</CstmrDrctDbtInitn>\n</Document>\n";

/** Returns the id of a group, at most 35 characters: the end of the message's id and the position from 1. */
const groupIdOf = (fileId: string, position: number): string => `${messageIdOf(fileId).slice(0, 30)}-${position + 1}`;

/** Returns the begin of a group: the payment information of one day, scheme and sequence. */
export function groupHeadOf({ id, format, creditor }: Head, { key, count, sum }: FileGroup, position: number): string {
	const [day = "", scheme = "", sequence = ""] = key.split(" ");
	return [
		`<PmtInf>${element("PmtInfId", groupIdOf(id, position))}${element("PmtMtd", "DD")}`,
		...[element("BtchBookg", `${creditor.batchBooking}`), element("NbOfTxs", `${count}`)],
		...[element("CtrlSum", moneyOf(sum)), `<PmtTpInf><SvcLvl>${element("Cd", "SEPA")}</SvcLvl>`],
		`<LclInstrm>${element("Cd", scheme)}</LclInstrm>${element("SeqTp", sequence)}</PmtTpInf>`,
		...[element("ReqdColltnDt", day), `<Cdtr>${element("Nm", sepaText(creditor.name, 70))}</Cdtr>`],
		`<CdtrAcct><Id>${element("IBAN", creditor.iban)}</Id></CdtrAcct><CdtrAgt>${bankOf(creditor.bic, format)}</CdtrAgt>`,
		`${element("ChrgBr", "SLEV")}<CdtrSchmeId><Id><PrvtId><Othr>${element("Id", creditor.creditorId)}`,
		`<SchmeNm>${element("Prtry", "SEPA")}</SchmeNm></Othr></PrvtId></Id></CdtrSchmeId>\n`,
	].join("");
}

export const groupTail = "</PmtInf>\n";

type Debit = Pick<DebitRow, "id" | "amount" | "description">;
type Debtor = Pick<MandateRow, "reference" | "signedOn" | "iban" | "bic" | "debtorName" | "debtorAddress">;

/** Returns the text of one debit. After an erasure, the mandate states no account. */
export function debitOf({ id, amount, description }: Debit, mandate: Debtor, format: FileFormat): string {
	const { reference, signedOn, iban, bic, debtorName } = mandate;
	return [
		`<DrctDbtTxInf><PmtId>${element("EndToEndId", endToEndIdOf(id))}</PmtId>`,
		`<InstdAmt Ccy="EUR">${moneyOf(amount)}</InstdAmt><DrctDbtTx><MndtRltdInf>${element("MndtId", reference)}`,
		`${element("DtOfSgntr", signedOn)}</MndtRltdInf></DrctDbtTx><DbtrAgt>${bankOf(bic, format)}</DbtrAgt>`,
		`<Dbtr>${element("Nm", sepaText(debtorName, 70))}${addressOf(mandate)}</Dbtr>`,
		`<DbtrAcct><Id>${element("IBAN", iban ?? "")}</Id></DbtrAcct>`,
		`<RmtInf>${element("Ustrd", sepaText(description, 140))}</RmtInf></DrctDbtTxInf>\n`,
	].join("");
}

/** Returns a structured address; without a city and a country, none. */
function addressOf({ debtorAddress }: Debtor): string {
	const { line1, postalCode, city, country } = debtorAddress ?? {};
	if (!city || !country || !/^[A-Za-z]{2}$/.test(country.trim())) return "";
	const parts = [
		...(line1 ? [element("StrtNm", sepaText(line1, 70))] : []),
		...(postalCode ? [element("PstCd", sepaText(postalCode, 16))] : []),
		...[element("TwnNm", sepaText(city, 35)), element("Ctry", country.trim().toUpperCase())],
	];
	return `<PstlAdr>${parts.join("")}</PstlAdr>`;
}
