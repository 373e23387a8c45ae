import type { AnyElysia } from "elysia";
import { debitFileRoutes, debitRoutes } from "../areas/bank/debits/routes";
import { bankEntryRoutes } from "../areas/bank/entries/routes";
import { bankImportRoutes } from "../areas/bank/imports/routes";
import { bankRoutes } from "../areas/bank/routes";
import { lateUsageOf } from "../areas/contracts/billing/operations.late-usage";
import { mandateRoutes } from "../areas/direct-debit/routes";
import { customerDunningRoutes, policyRoutes } from "../areas/dunning/policies/routes";
import { collectionRoutes, dunningCaseRoutes } from "../areas/dunning/routes";
import { balanceRoutes } from "../areas/invoices/balance/routes";
import { creditNoteRoutes } from "../areas/invoices/credit-notes/routes";
import { disputeRoutes } from "../areas/invoices/disputes/routes";
import { draftRoutes } from "../areas/invoices/drafts/routes";
import { explainRoutes } from "../areas/invoices/explain/routes";
import { invoiceListRoutes } from "../areas/invoices/lists/routes";
import { paymentRoutes } from "../areas/invoices/payments/routes";
import { receiptRoutes } from "../areas/invoices/receipts/routes";
import { invoiceRoutes } from "../areas/invoices/routes";
import { documentRoutes } from "../areas/invoices/routes.pdf";
import { invoiceTotalsRoutes } from "../areas/invoices/totals/routes";
import { legalEntityRoutes } from "../areas/legal-entities/routes";
import { creditManually, voidManually } from "../areas/subscriptions/lifecycle/operations.credit";
import {
	allocateReceipt,
	payInvoice,
	payOneInvoice,
	takePayment,
} from "../areas/subscriptions/lifecycle/operations.payment";
import type { Services } from "../server/context";

/** Composes the routes of invoices, credit notes, legal entities and dunning. */
export const routes = (services: Services): AnyElysia[] => [
	legalEntityRoutes(services),
	invoiceRoutes(services, payInvoice),
	invoiceListRoutes(services),
	invoiceTotalsRoutes(services),
	draftRoutes(services, lateUsageOf),
	explainRoutes(services),
	paymentRoutes(services, payOneInvoice),
	receiptRoutes(services, { takePayment, allocateReceipt }),
	disputeRoutes(services),
	balanceRoutes(services),
	creditNoteRoutes(services, creditManually, voidManually),
	documentRoutes(services),
	policyRoutes(services),
	customerDunningRoutes(services),
	dunningCaseRoutes(services),
	collectionRoutes(services),
	bankRoutes(services),
	bankImportRoutes(services),
	bankEntryRoutes(services),
	mandateRoutes(services),
	debitRoutes(services),
	debitFileRoutes(services),
];
