import { useState } from "react";
import { Link } from "wouter";
import type { InvoiceInBooks } from "../../../areas/invoices/lists/schema";
import { send } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton } from "../../kit/dialog";
import { formatDate, formatMoney, formatPercent } from "../../kit/format";
import { IssuerWarnings } from "../../kit/issuer-warnings";
import { useOne } from "../../kit/list";
import { When } from "../../kit/money";
import { Card, Empty, Facts, Page, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { t, wordFor } from "../../messages/invoices";
import { t as invoicing } from "../../messages/shared/invoicing";
import { t as search } from "../../messages/shared/search";
import { may } from "../../session";
import { CreditButton } from "./credit";
import { CreditNotes } from "./credit-notes";
import { DocumentCard } from "./document";
import { Explanation, type Figure } from "./explain";
import { InvoiceLines } from "./lines";
import { type InvoiceProps, pathOf } from "./of";
import { Payments } from "./payments";
import { InvoiceStatus, of } from "./table";

export function InvoicePage({ id }: { readonly id: string }) {
	const path = `/invoices?search=${encodeURIComponent(id)}&stateIn=DRAFT,OPEN,PAID,CANCELED&limit=2`;
	const { data: found, error, refetch } = useOne<readonly InvoiceInBooks[]>(path);
	const [figure, setFigure] = useState<Figure>();
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!found) return <Skeleton lines={8} />;
	const invoice = found.find((one) => one.invoiceId === id || one.invoiceNumber === id);
	const parent = { name: t.title, path: "/invoices" };
	if (!invoice)
		return (
			<Page title={id} parent={parent}>
				<Empty title={t.nothingHere} text={search.nothingFound({ text: id })} />
			</Page>
		);
	return (
		<Page
			title={invoice.invoiceNumber ?? t.draft}
			beside={<InvoiceStatus of={invoice} />}
			parent={parent}
			curl={path}
			actions={<Actions invoice={invoice} />}
		>
			<IssuerWarnings of={invoice.warnings} />
			<Card>
				<InvoiceFacts invoice={invoice} />
			</Card>
			<InvoiceLines invoice={invoice} onExplain={setFigure} />
			<DocumentCard invoice={invoice} />
			<div className="grid">
				<Payments invoice={invoice} />
				<CreditNotes invoice={invoice} />
			</div>
			<Explanation invoice={invoice} figure={figure} onFigure={setFigure} />
		</Page>
	);
}

const InvoiceFacts = ({ invoice }: InvoiceProps) => (
	<Facts
		of={[
			[
				t.customer,
				<Link key="customer" href={`/customers/${encodeURIComponent(invoice.customerExternalId ?? "")}`}>
					{invoice.customerName ?? invoice.customerExternalId}
				</Link>,
			],
			[t.issued, formatDate(invoice.issueDate)],
			[t.due, formatDate(invoice.dueDate)],
			...(invoice.cashDiscount
				? [[invoicing.cashDiscount, cashDiscountText(invoice, invoice.cashDiscount)] as const]
				: []),
			...(invoice.paidDate ? [[t.paidOn, formatDate(invoice.paidDate)] as const] : []),
			...(invoice.finalizeDate ? [[t.finalizes, <When key="at" at={invoice.finalizeDate} />] as const] : []),
			[t.reason, wordFor(invoice.billingReason)],
			...(invoice.contractExternalId
				? [
						[
							t.contract,
							<Link key="contract" href={`/contracts/${encodeURIComponent(invoice.contractExternalId)}`}>
								{invoice.contractExternalId}
							</Link>,
						] as const,
					]
				: []),
			...(invoice.poNumber ? [[t.poNumber, invoice.poNumber] as const] : []),
			[t.id, <Id key="id" of={invoice.invoiceId} />],
		]}
	/>
);

const cashDiscountText = (
	invoice: InvoiceInBooks,
	{ amount, percentage, untilDate }: NonNullable<InvoiceInBooks["cashDiscount"]>,
) =>
	invoicing.cashDiscountUntil({
		amount: formatMoney(of(invoice, amount)),
		percentage: formatPercent(percentage / 100),
		date: formatDate(untilDate),
	});

function Actions({ invoice }: InvoiceProps) {
	if (!may("INVOICE:WRITE")) return null;
	const number = invoice.invoiceNumber ?? t.draft;
	const path = pathOf(invoice);
	if (invoice.state === "DRAFT")
		return (
			<ConfirmButton
				label={t.finalize}
				title={t.finalizeTitle}
				says={t.finalizeSays}
				perform={() => send("POST", `${path}/finalize`)}
			/>
		);
	return (
		<>
			{invoice.state !== "CANCELED" && <CreditButton invoice={invoice} />}
			{invoice.state === "OPEN" && (
				<ConfirmButton
					label={t.markPaid}
					title={t.markPaidTitle({ number })}
					says={t.markPaidSays({ amount: formatMoney(of(invoice, invoice.amountDue)) })}
					perform={() => send("POST", `${path}/paid`)}
				/>
			)}
		</>
	);
}
