import { XMLParser } from "fast-xml-parser";

/** Reads a pain.008 file by the published rules of the scheme (EPC130-08), and shares no code with its writer. */

interface Transaction {
	readonly endToEndId: string;
	readonly cents: number;
	readonly mandate: string;
	readonly signedOn: string;
	readonly name: string;
	readonly iban: string;
	readonly text: string;
}

interface Group {
	readonly id: string;
	readonly day: string;
	readonly scheme: string;
	readonly sequence: string;
	readonly transactions: readonly Transaction[];
}

const parser = new XMLParser({ parseTagValue: false, ignoreAttributes: false, isArray: (name) => lists.has(name) });
const lists = new Set(["PmtInf", "DrctDbtTxInf"]);

/** The children of each element, in the order of the schema; those in brackets may be missing. */
const orders: Readonly<Record<string, string>> = {
	CstmrDrctDbtInitn: "GrpHdr PmtInf",
	GrpHdr: "MsgId CreDtTm NbOfTxs CtrlSum InitgPty",
	PmtInf:
		"PmtInfId PmtMtd BtchBookg NbOfTxs CtrlSum PmtTpInf ReqdColltnDt Cdtr CdtrAcct CdtrAgt ChrgBr CdtrSchmeId DrctDbtTxInf",
	PmtTpInf: "SvcLvl LclInstrm SeqTp",
	DrctDbtTxInf: "PmtId InstdAmt DrctDbtTx DbtrAgt Dbtr DbtrAcct RmtInf",
	Dbtr: "Nm PstlAdr?",
	PstlAdr: "StrtNm? PstCd? TwnNm Ctry",
	MndtRltdInf: "MndtId DtOfSgntr",
};

type Node = { readonly [name: string]: Node } & readonly Node[] & string;

const cents = (text: string): number => {
	if (!/^[0-9]{1,9}\.[0-9]{2}$/.test(text)) throw new Error(`'${text}' is no amount`);
	return Number(text.replace(".", ""));
};

const characters = /^[A-Za-z0-9/?:().,'+ -]+$/;

/** Returns what a file says, and the rules that it breaks. */
export function readPain008(text: string): { readonly groups: readonly Group[]; readonly broken: readonly string[] } {
	const broken: string[] = [];
	const must = (holds: boolean, rule: string) => {
		if (!holds) broken.push(rule);
	};
	const root = (parser.parse(text) as { Document: Node }).Document.CstmrDrctDbtInitn as Node;
	inOrder(root, "CstmrDrctDbtInitn", must);
	const head = root.GrpHdr as Node;
	const groups = [...(root.PmtInf as Node)].map((group): Group => {
		const transactions = [...(group.DrctDbtTxInf as Node)].map((one) => transactionOf(one, must));
		must(Number(group.NbOfTxs) === transactions.length, "the number of a group's transactions");
		must(cents(group.CtrlSum as string) === sumOf(transactions), "the control sum of a group");
		must((group.PmtInfId as string).length <= 35, "PmtInfId has at most 35 characters");
		must(group.PmtMtd === "DD" && group.ChrgBr === "SLEV", "the method and the charges");
		const type = group.PmtTpInf as Node;
		must(type.SvcLvl?.Cd === "SEPA", "the service level");
		must(group.CdtrSchmeId?.Id?.PrvtId?.Othr?.SchmeNm?.Prtry === "SEPA", "the creditor's scheme");
		return {
			...{ id: group.PmtInfId as string, day: group.ReqdColltnDt as string, transactions },
			...{ scheme: type.LclInstrm?.Cd as string, sequence: type.SeqTp as string },
		};
	});
	const all = groups.flatMap(({ transactions }) => transactions);
	must(Number(head.NbOfTxs) === all.length, "the number of transactions");
	must(cents(head.CtrlSum as string) === sumOf(all), "the control sum");
	must((head.MsgId as string).length <= 35, "MsgId has at most 35 characters");
	must(new Set(all.map(({ endToEndId }) => endToEndId)).size === all.length, "end-to-end ids are unique");
	must(new Set(groups.map(({ id }) => id)).size === groups.length, "ids of groups are unique");
	must(
		new Set(groups.map(({ day, scheme, sequence }) => `${day} ${scheme} ${sequence}`)).size === groups.length,
		"groups",
	);
	return { groups, broken };
}

function transactionOf(one: Node, must: (holds: boolean, rule: string) => void): Transaction {
	const amount = one.InstdAmt as unknown as { "#text": string; "@_Ccy": string };
	const mandate = one.DrctDbtTx?.MndtRltdInf as Node;
	const read = {
		...{ endToEndId: one.PmtId?.EndToEndId as string, cents: cents(amount["#text"]) },
		...{ mandate: mandate.MndtId as string, signedOn: mandate.DtOfSgntr as string },
		...{ name: one.Dbtr?.Nm as string, iban: one.DbtrAcct?.Id?.IBAN as string },
		text: one.RmtInf?.Ustrd as string,
	};
	must(amount["@_Ccy"] === "EUR" && read.cents >= 1, "an amount in euro");
	must(read.endToEndId.length <= 35 && read.mandate.length <= 35, "ids have at most 35 characters");
	must(characters.test(read.name) && read.name.length <= 70, "a name of 70 characters of the scheme");
	must(characters.test(read.text) && read.text.length <= 140, "a text of 140 characters of the scheme");
	must(/^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/.test(read.iban), "an IBAN");
	return read;
}

const sumOf = (transactions: readonly Transaction[]): number => transactions.reduce((sum, one) => sum + one.cents, 0);

/** Checks the children of each element that has an order. */
function inOrder(node: Node, name: string, must: (holds: boolean, rule: string) => void): void {
	const order = orders[name]?.split(" ");
	const children = Object.keys(node).filter((key) => !key.startsWith("@_"));
	if (order) {
		const known = order.map((one) => one.replace("?", ""));
		const places = children.map((child) => known.indexOf(child));
		must(
			!places.includes(-1) && places.every((place, at) => at === 0 || place > (places[at - 1] as number)),
			`the order in ${name}`,
		);
		for (const one of order) must(one.endsWith("?") || children.includes(one), `${name} has ${one}`);
	}
	for (const child of children)
		for (const below of [node[child]].flat() as unknown as Node[])
			if (typeof below === "object") inOrder(below, child, must);
}
