import type { TSchema } from "@sinclair/typebox";
import { BankEntryConfirmation } from "../../../../src/areas/bank/schema";
import {
	CreditorSettings,
	DebitCreate,
	DebitFileCreate,
	DebitFileSettlement,
	DebitReturn,
	MandateCreate,
} from "../../../../src/areas/direct-debit/schema";
import {
	CustomerDunningUpdate,
	DunningPolicyCreate,
	DunningPolicyUpdate,
} from "../../../../src/areas/dunning/policies/schema";
import { CollectionNote, CollectionStart, CollectionSuspend } from "../../../../src/areas/dunning/schema";
import { DisputeChange, DisputeEvidenceList, DisputeReport } from "../../../../src/areas/invoices/disputes/schema";
import {
	AllocationReversal,
	ReceiptAllocation,
	ReceiptRefund,
	ReceiptReport,
	ReceiptReturn,
} from "../../../../src/areas/invoices/receipts/schema";

const onInvoice = ["customerId", "invoiceId"] as const;

/** The bodies of the REST routes of dunning, and the members of the inputs that are parameters of their paths. */
export const dunningBodies: Readonly<Record<string, readonly [body: TSchema | undefined, ...path: string[]]>> = {
	createDunningPolicy: [DunningPolicyCreate],
	updateDunningPolicy: [DunningPolicyUpdate, "refId"],
	archiveDunningPolicy: [undefined, "refId"],
	updateCustomerDunning: [CustomerDunningUpdate, "refId"],
	startInvoiceCollection: [CollectionStart, ...onInvoice],
	suspendInvoiceCollection: [CollectionSuspend, ...onInvoice],
	resumeInvoiceCollection: [undefined, ...onInvoice],
	stopInvoiceCollection: [CollectionNote, ...onInvoice],
};

/** Those of receipts and disputes. */
export const receiptBodies: typeof dunningBodies = {
	recordReceipt: [ReceiptReport],
	allocateReceipt: [ReceiptAllocation, "receiptId"],
	reverseReceiptAllocation: [AllocationReversal, "receiptId", "allocationId"],
	refundReceipt: [ReceiptRefund, "receiptId"],
	returnReceipt: [ReceiptReturn, "receiptId"],
	recordDispute: [DisputeReport, "receiptId"],
	changeDisputeState: [DisputeChange, "disputeId"],
	sendDisputeEvidence: [DisputeEvidenceList, "disputeId"],
	acceptDispute: [undefined, "disputeId"],
};

/** Those of direct debit and of the bank. */
export const bankBodies: typeof dunningBodies = {
	setDirectDebitCreditor: [CreditorSettings, "legalEntityId"],
	createMandate: [MandateCreate],
	revokeMandate: [undefined, "id"],
	createDirectDebit: [DebitCreate],
	cancelDirectDebit: [undefined, "id"],
	returnDirectDebit: [DebitReturn, "id"],
	createDirectDebitFile: [DebitFileCreate],
	settleDirectDebitFile: [DebitFileSettlement, "id"],
	confirmBankEntry: [BankEntryConfirmation, "entryId"],
	rejectBankEntry: [undefined, "entryId"],
	undoBankEntry: [undefined, "entryId"],
};
