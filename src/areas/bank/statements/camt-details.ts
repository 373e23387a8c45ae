import type { Decimal } from "../../../kernel/decimal";
import type { XmlNode } from "./camt-nodes";
import { accountOrNull, amountAt, currencyAt, type StatementEntry, textOrNull } from "./rules.statement";

interface Party {
	readonly name: string | null;
	readonly iban: string | null;
}

/** The details of a transaction (TxDtls). An entry of a batch has several. */
export interface Details {
	/** In major units, unsigned; null if the details state no amount. */
	readonly amount: Decimal | null;
	readonly currency: string | null;
	/** Null: the direction is that of the entry. */
	readonly isDebit: boolean | null;
	readonly bankReference: string | null;
	readonly endToEndId: string | null;
	readonly mandateId: string | null;
	readonly creditorReference: string | null;
	readonly returnCode: string | null;
	readonly debtor: Party;
	readonly creditor: Party;
	readonly text: string;
}

/** Reads the details of all three versions: .02 states the amount in AmtDtls, .08 the names in Pty. */
export function readDetails(root: XmlNode): Details {
	const node = root.find("TxDtls") ?? root;
	const { line } = node;
	const stated = node.find("Amt") ?? node.find("AmtDtls", "TxAmt", "Amt");
	const code = stated?.attribute("Ccy");
	const currency = code === undefined ? null : currencyAt(line, code);
	const size = stated?.text();
	const direction = node.text("CdtDbtInd");
	return {
		amount: size === undefined ? null : amountAt(line, size, currency),
		currency,
		isDebit: direction === undefined ? null : direction === "DBIT",
		bankReference: textOrNull(node.text("Refs", "AcctSvcrRef")),
		endToEndId: textOrNull(node.text("Refs", "EndToEndId")),
		mandateId: textOrNull(node.text("Refs", "MndtId")),
		creditorReference: creditorReferenceOf(node),
		returnCode: textOrNull(node.text("RtrInf", "Rsn", "Cd")),
		debtor: partyOf(node, "Dbtr"),
		creditor: partyOf(node, "Cdtr"),
		text: remittanceOf(node),
	};
}

function creditorReferenceOf(node: XmlNode): string | null {
	const structured = node.find("RmtInf")?.children("Strd") ?? [];
	return accountOrNull(structured.map((one) => one.text("CdtrRefInf", "Ref")).find((one) => one !== undefined));
}

function partyOf(node: XmlNode, role: "Dbtr" | "Cdtr"): Party {
	const parties = node.find("RltdPties");
	const account = parties?.find(`${role}Acct`, "Id");
	return {
		name: textOrNull(parties?.text(role, "Nm") ?? parties?.text(role, "Pty", "Nm")),
		iban: accountOrNull(account?.text("IBAN") ?? account?.text("Othr", "Id")),
	};
}

/** Returns the free text, then the numbers of the documents that structured remittance names. */
function remittanceOf(node: XmlNode): string {
	const remittance = node.find("RmtInf");
	const free = remittance?.children("Ustrd").map((one) => one.text() ?? "") ?? [];
	const documents = remittance
		?.children("Strd")
		.flatMap((one) => [
			...one.children("RfrdDocInf").map((document) => document.text("Nb") ?? ""),
			...one.children("AddtlRmtInf").map((text) => text.text() ?? ""),
		]);
	return textOrNull([...free, ...(documents ?? [])].join(" ")) ?? "";
}

/** Returns the fields of an entry that its details state. The other party is the payer of a credit, and the payee of a debit. */
export function detailsOf(
	details: Details | undefined,
	isCredit: boolean,
	ownAccount: string,
): Pick<
	StatementEntry,
	"endToEndId" | "mandateId" | "creditorReference" | "returnCode" | "partyName" | "partyIban" | "text"
> {
	if (!details)
		return {
			...{ endToEndId: null, mandateId: null, creditorReference: null, returnCode: null },
			...{ partyName: null, partyIban: null, text: "" },
		};
	const { endToEndId, mandateId, creditorReference, returnCode, debtor, creditor, text } = details;
	const inOrder = isCredit ? [debtor, creditor] : [creditor, debtor];
	// Some banks name the parties of a returned payment as those of the original payment.
	const other = inOrder.find(({ name, iban }) => iban !== ownAccount && (name ?? iban) !== null);
	return {
		...{ endToEndId, mandateId, creditorReference, returnCode, text },
		...{ partyName: other?.name ?? null, partyIban: other?.iban ?? null },
	};
}
