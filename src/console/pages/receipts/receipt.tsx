import type { InvoiceInBooks } from "../../../areas/invoices/lists/schema";
import {
	type AllocationOfReceipt,
	ReceiptAllocation,
	type ReceiptDetail,
	ReceiptRefund,
	ReceiptReturn,
} from "../../../areas/invoices/receipts/schema";
import { pathTo } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { formatDate, formatMoney } from "../../kit/format";
import { FormButton } from "../../kit/forms/form-dialog";
import { useOne } from "../../kit/list";
import { Card, Empty, Facts, Loaded, Page } from "../../kit/page";
import { PdfCard } from "../../kit/pdf";
import { Table } from "../../kit/table";
import { Badge, Money } from "../../kit/values";
import { t, wordFor } from "../../messages/receipts";
import { may } from "../../session";
import { DisputeButton, Disputes } from "./disputes";
import { allocationFieldsOf } from "./fields";

interface ReceiptProps {
	readonly receipt: ReceiptDetail;
}

const pathOf = ({ receiptId }: ReceiptDetail): string => pathTo("/receipts", receiptId);

export const ReceiptPage = ({ id }: { readonly id: string }) => (
	<Loaded<ReceiptDetail> path={pathTo("/receipts", id)}>
		{(receipt) => (
			<Page
				title={receipt.number}
				badge={<Badge>{wordFor(receipt.kind)}</Badge>}
				text={receipt.customerId}
				parent={{ name: t.title, path: "/receipts" }}
				curl={pathOf(receipt)}
				actions={receipt.kind === "PAYMENT" && may("INVOICE:WRITE") && <Actions receipt={receipt} />}
			>
				<Card>
					<Amounts receipt={receipt} />
				</Card>
				<Allocations receipt={receipt} />
				<Disputes receiptId={receipt.receiptId} />
				<PdfCard
					texts={{ title: t.pdf, text: t.pdfText }}
					path={`${pathOf(receipt)}/pdf`}
					name={`${receipt.number}.pdf`}
				/>
			</Page>
		)}
	</Loaded>
);

function Amounts({ receipt }: ReceiptProps) {
	const { currency } = receipt;
	const money = (amount: number) => <Money of={{ amount, currency }} />;
	return (
		<Facts
			of={{
				[t.amount]: money(receipt.amount),
				[t.unallocated]: money(receipt.unallocatedAmount),
				[t.refundedAmount]: money(receipt.refundedAmount),
				...(receipt.disputedAmount > 0 && { [t.disputedAmount]: money(receipt.disputedAmount) }),
				[t.received]: formatDate(receipt.receivedDate),
				[t.method]: wordFor(receipt.method),
				[t.source]: wordFor(receipt.source),
				[t.reason]: receipt.reason && wordFor(receipt.reason),
				[t.reference]: receipt.reference,
				[t.note]: receipt.note,
				[t.id]: <Id of={receipt.receiptId} />,
			}}
		/>
	);
}

function Actions({ receipt }: ReceiptProps) {
	const path = pathOf(receipt);
	const unit = receipt.currency.toUpperCase();
	const left = receipt.amount - receipt.refundedAmount;
	const amount = { name: "amount", unit };
	return (
		<>
			{receipt.unallocatedAmount > 0 && <AllocateButton receipt={receipt} />}
			{left > 0 && (
				<FormButton
					label={t.refund}
					to={["POST", `${path}/refunds`]}
					schema={ReceiptRefund}
					texts={t}
					initial={{
						method: receipt.method,
						...(receipt.unallocatedAmount > 0 && { amount: receipt.unallocatedAmount }),
					}}
					fields={[{ ...amount, isRequired: true }, ["method", "reference"], "note"]}
					action={t.refund}
					onDone={() => t.refunded}
				/>
			)}
			{left > receipt.disputedAmount && <DisputeButton receipt={receipt} />}
			{left > 0 && (
				<FormButton
					label={t.withdraw}
					to={["POST", `${path}/return`]}
					schema={ReceiptReturn}
					texts={t}
					initial={{ reason: "RETURNED" }}
					fields={["reason", amount, "reference", "note"]}
					action={t.withdraw}
					onDone={() => t.withdrawn}
				/>
			)}
		</>
	);
}

/** The number of OPEN invoices to choose from. The API takes more, by their ids. */
const invoicesMax = 100;

/** Pays OPEN invoices of the customer with unallocated money. */
function AllocateButton({ receipt }: ReceiptProps) {
	const { customerId, currency } = receipt;
	const query = new URLSearchParams({ customerId, stateIn: "OPEN", limit: String(invoicesMax) });
	const { data = [] } = useOne<readonly InvoiceInBooks[]>(`/invoices?${query}`);
	const options = data
		.filter((invoice) => invoice.currency === currency)
		.map(({ invoiceId, invoiceNumber, amountDue: amount }) => ({
			value: invoiceId,
			label: `${invoiceNumber} · ${formatMoney({ amount, currency })}`,
		}));
	return (
		<FormButton
			label={t.allocate}
			to={["POST", `${pathOf(receipt)}/allocations`]}
			schema={ReceiptAllocation}
			texts={t}
			initial={{ excess: "UNALLOCATED" }}
			fields={allocationFieldsOf({ name: "invoiceId", label: t.invoice, options })}
			action={t.allocate}
			onDone={() => t.allocated}
		/>
	);
}

function Allocations({ receipt }: ReceiptProps) {
	if (receipt.allocations.length === 0) return <Empty title={t.noParts} />;
	const { currency } = receipt;
	return (
		<Card title={t.parts} isFlush>
			<Table<AllocationOfReceipt>
				label={t.parts}
				rows={receipt.allocations}
				rowKey={({ allocationId }) => allocationId}
				columns={[
					{ head: t.kind, cell: ({ kind }) => wordFor(kind) },
					{ head: t.invoiceId, cell: ({ invoiceId }) => invoiceId ?? t.inBalance },
					{ head: t.createdAt, isWide: true, cell: ({ createdAt }) => formatDate(createdAt) },
					{ head: t.amount, isFigure: true, cell: ({ amount }) => <Money of={{ amount, currency }} /> },
					{ head: t.undo, cell: (allocation) => <Undo receipt={receipt} allocation={allocation} /> },
				]}
			/>
		</Card>
	);
}

function Undo({ receipt, allocation }: ReceiptProps & { readonly allocation: AllocationOfReceipt }) {
	const { allocationId, kind } = allocation;
	const undone = receipt.allocations.filter((one) => one.reversesAllocationId === allocationId);
	const left = undone.reduce((rest, { amount }) => rest - amount, allocation.amount);
	if (kind !== "PAYMENT" || left <= 0 || !may("INVOICE:WRITE")) return "–";
	const amount = formatMoney({ amount: left, currency: receipt.currency });
	return (
		<ConfirmButton
			{...confirmation(t, "undo", { amount })}
			isDanger
			perform={["POST", `${pathTo(pathOf(receipt), "allocations", allocationId)}/reverse`, {}]}
		/>
	);
}
