import { Type } from "@sinclair/typebox";
import { operation } from "../../openapi/operation";

const importId = ["The import's id, from the answer of the import", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c90"] as const;
const entryId = ["The entry's id, from the list of entries", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c91"] as const;
const iban = ["The IBAN of an account of a legal entity", "DE89370400440532013000"] as const;

const statement = [
	":20:STARTUMS",
	":25:37040044/0532013000",
	":28C:1/1",
	":60F:C260201EUR0,00",
	":61:2602020202CR49,00NTRFNONREF//B1",
	":86:166?00GUTSCHRIFT?20thank you?32Globex Corporation",
	":62F:C260202EUR49,00",
	"-",
].join("\r\n");

const noEntry = { 404: "There is no such entry." };

export const bankOperations = {
	listAccounts: operation({
		operationId: "bank.listAccounts",
		summary: "List bank accounts",
		description: "The accounts with statements or settings, newest first. An account is that of a legal entity.",
	}),
	setAccount: operation({
		operationId: "bank.setAccount",
		summary: "Set how statements of a bank account are read and matched",
		description:
			"`feeTolerance` is the amount by which a payment may fall short because banks deducted fees, by currency: it replaces the former one. `csvMapping` says how the bank writes its CSV files. A missing field stays; null clears the mapping. A legal entity must have the IBAN.",
		path: { iban },
		example: {
			feeTolerance: [{ currency: "eur", amount: 5 }],
			csvMapping: {
				delimiter: ";",
				decimalSeparator: ",",
				dateFormat: "DD.MM.YYYY",
				currency: "EUR",
				columns: { bookedOn: "Buchungstag", amount: "Betrag", partyName: "Name", text: ["Verwendungszweck"] },
			},
		},
		refusals: ["InvalidArgumentError"],
		uncoded: { 404: "No legal entity has this account." },
	}),
	import: operation({
		operationId: "bank.import",
		summary: "Import a bank statement",
		description:
			"The body is the file as the bank provides it, of any content type: CAMT.053 and CAMT.054 (.02, .04, .08), MT940, or CSV of the account that `account` names, by its saved mapping. At most 64 MiB and 100,000 entries. Tollgate checks the file whole before it answers: the opening balance and the entries must sum to the closing balance, and a legal entity must have the account. Otherwise it names the line and the figures and stores nothing. A task then records and matches the entries. Entries that are known already record nothing.",
		query: { account: "The IBAN of a CSV file" },
		takesFile: true,
		otherBodies: { "text/plain": { schema: Type.String(), example: statement } },
		refusals: ["BadUserInput"],
		uncoded: { 503: "Tollgate reads another file now; repeat the request after the seconds of `Retry-After`." },
	}),
	listImports: operation({
		operationId: "bank.listImports",
		summary: "List bank imports",
		description: "Newest first.",
	}),
	retrieveImport: operation({
		operationId: "bank.retrieveImport",
		summary: "Show how an import went",
		description: "The number of entries by outcome. The import's task shows the progress.",
		path: { importId },
		uncoded: { 404: "There is no such import." },
	}),
	listStatements: operation({
		operationId: "bank.listStatements",
		summary: "List bank statements",
		description:
			"Newest first. `missing` names the numbers between the former statement of the year and this one, if the bank counts them.",
		query: { bankAccountId: "Only statements of this account" },
	}),
	listEntries: operation({
		operationId: "bank.listEntries",
		summary: "List entries of bank statements",
		description:
			"Newest first. `state=PROPOSED` lists the entries that wait for a decision; their proposals state why. RECORDED entries are receipts. OUTGOING ones are money that left the account.",
		query: {
			state: "Only entries in this state",
			statementId: "Only entries of this statement",
			customerId: "Only entries of this payer",
		},
		refusals: ["CustomerNotFound"],
	}),
	retrieveEntry: operation({
		operationId: "bank.retrieveEntry",
		summary: "Retrieve an entry of a bank statement",
		path: { entryId },
		uncoded: noEntry,
	}),
	confirmEntry: operation({
		operationId: "bank.confirmEntry",
		summary: "Record the money of an entry as a receipt",
		description:
			"Name one of three: `proposal`, its position from 0; `invoiceIds`, OPEN invoices of one customer, which are paid in this order; or `customerId`, whose money it is. The rest is unallocated, or goes to the customer's balance with `excess` BALANCE. From then on, Tollgate knows the payer by its IBAN.",
		path: { entryId },
		example: { customerId: "customer-acme" },
		refusals: ["CustomerNotFound", "InvoiceNotFound", "BillingInvoiceStatusError", "InvalidArgumentError"],
		uncoded: noEntry,
	}),
	rejectEntry: operation({
		operationId: "bank.rejectEntry",
		summary: "Record that an entry pays no invoice",
		path: { entryId },
		refusals: ["InvalidArgumentError"],
		uncoded: noEntry,
	}),
	undoEntry: operation({
		operationId: "bank.undoEntry",
		summary: "Undo the decision about an entry",
		description:
			"The money of a RECORDED entry is unallocated again, and its PAID invoices are OPEN. Tollgate drops the IBAN of the payer if this entry made it known. A REJECTED entry waits for a decision again.",
		path: { entryId },
		refusals: ["InvalidArgumentError"],
		uncoded: noEntry,
	}),
};
