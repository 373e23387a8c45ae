import { useState } from "react";
import type { InvoiceInBooks } from "../../../areas/invoices/lists/schema";
import { withQuery } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { formatDate, formatMoney, formatPercent } from "../../kit/format";
import { IssuerWarnings } from "../../kit/issuer-warnings";
import { Card, Empty, Facts, Loaded, Page } from "../../kit/page";
import { PdfCard } from "../../kit/pdf";
import { Status, To, When } from "../../kit/values";
import { t, wordFor } from "../../messages/invoices";
import { t as invoicing } from "../../messages/shared/invoicing";
import { t as search } from "../../messages/shared/search";
import { may } from "../../session";
import { amountIn, type InvoiceProps, pathOf } from "./amounts";
import { Attempts, ChargeButton } from "./attempts";
import { CreditButton } from "./credit";
import { Explanation, type Figure } from "./explain";
import { InvoiceLines } from "./lines";
import { CreditNotes, Payments } from "./payments";

const parent = { name: t.title, path: "/invoices" };

export function InvoicePage({ id }: { readonly id: string }) {
	const path = withQuery("/invoices", { search: id, stateIn: "DRAFT,OPEN,PAID,CANCELED", limit: 2 });
	return (
		<Loaded<readonly InvoiceInBooks[]> path={path} lines={8}>
			{(found) => {
				const invoice = found.find((one) => one.invoiceId === id || one.invoiceNumber === id);
				return invoice ? (
					<InvoiceView invoice={invoice} curl={path} />
				) : (
					<Page title={id} parent={parent}>
						<Empty title={t.nothingHere} text={search.nothingFound({ text: id })} />
					</Page>
				);
			}}
		</Loaded>
	);
}

function InvoiceView({ invoice, curl }: InvoiceProps & { readonly curl: string }) {
	const [figure, setFigure] = useState<Figure>();
	return (
		<Page
			title={invoice.invoiceNumber ?? t.draft}
			badge={<Status of={invoice.isOverdue ? "OVERDUE" : invoice.state} kind="INVOICE" />}
			parent={parent}
			curl={curl}
			actions={may("INVOICE:WRITE") && <Actions invoice={invoice} />}
		>
			<IssuerWarnings of={invoice.warnings} />
			<Card>
				<InvoiceFacts invoice={invoice} />
			</Card>
			<InvoiceLines invoice={invoice} onExplain={setFigure} />
			{invoice.state !== "DRAFT" && (
				<PdfCard
					texts={{ title: t.document, text: t.documentText }}
					path={`${pathOf(invoice)}/pdf`}
					name={`${invoice.invoiceNumber}.pdf`}
				/>
			)}
			{may("INVOICE:READ") && invoice.state !== "DRAFT" && <Attempts invoice={invoice} />}
			<div className="grid">
				<Payments invoice={invoice} />
				<CreditNotes invoice={invoice} />
			</div>
			<Explanation invoice={invoice} figure={figure} onFigure={setFigure} />
		</Page>
	);
}

function InvoiceFacts({ invoice }: InvoiceProps) {
	const { customerExternalId: customerId, cashDiscount, contractExternalId: contractId } = invoice;
	return (
		<Facts
			of={{
				[t.customer]: (
					<To list="/customers" id={customerId ?? ""}>
						{invoice.customerName ?? customerId}
					</To>
				),
				[t.issued]: formatDate(invoice.issueDate),
				[t.due]: formatDate(invoice.dueDate),
				[invoicing.cashDiscount]:
					cashDiscount &&
					invoicing.cashDiscountUntil({
						amount: formatMoney(amountIn(invoice, cashDiscount.amount)),
						percentage: formatPercent(cashDiscount.percentage / 100),
						date: formatDate(cashDiscount.untilDate),
					}),
				[t.paidOn]: invoice.paidDate && formatDate(invoice.paidDate),
				[t.finalizes]: invoice.finalizeDate && <When at={invoice.finalizeDate} />,
				[t.reason]: wordFor(invoice.billingReason),
				[t.contract]: contractId && <To list="/contracts" id={contractId} />,
				[t.poNumber]: invoice.poNumber,
				[t.creditorReference]: invoice.creditorReference,
				[t.id]: <Id of={invoice.invoiceId} />,
			}}
		/>
	);
}

function Actions({ invoice }: InvoiceProps) {
	const path = pathOf(invoice);
	if (invoice.state === "DRAFT")
		return <ConfirmButton {...confirmation(t, "finalize")} perform={["POST", `${path}/finalize`]} />;
	const values = {
		number: invoice.invoiceNumber ?? t.draft,
		amount: formatMoney(amountIn(invoice, invoice.amountDue)),
	};
	return (
		<>
			{invoice.state !== "CANCELED" && <CreditButton invoice={invoice} />}
			{invoice.state === "OPEN" && <ChargeButton invoice={invoice} />}
			{invoice.state === "OPEN" && (
				<ConfirmButton {...confirmation(t, "markPaid", values)} perform={["POST", `${path}/paid`]} />
			)}
		</>
	);
}
