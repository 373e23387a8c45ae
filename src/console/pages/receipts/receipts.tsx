import { type Receipt, ReceiptReport } from "../../../areas/invoices/receipts/schema";
import { pathTo } from "../../api";
import { formatDate } from "../../kit/format";
import { FormDialog } from "../../kit/forms/form-dialog";
import { ListAndPages, ListScreen } from "../../kit/list-card";
import { Money } from "../../kit/values";
import { t, wordFor } from "../../messages/receipts";
import { allocationFieldsOf } from "./fields";
import { ReceiptPage } from "./receipt";

const Receipts = () => <ListAndPages path="/receipts" list={<ReceiptList />} page={(id) => <ReceiptPage id={id} />} />;
export default Receipts;

const kinds = ["PAYMENT", "REFUND", "RETURN"];

const ReceiptList = () => (
	<ListScreen<Receipt>
		path="/receipts"
		texts={t}
		filters={[
			{ name: "kind", label: t.kind, options: kinds.map((kind) => ({ value: kind, label: wordFor(kind) })) },
			{ name: "unallocated", label: t.onlyUnallocated, options: [{ value: "true", label: t.unallocated }] },
		]}
		rowKey={({ receiptId }) => receiptId}
		href={({ receiptId }) => pathTo("/receipts", receiptId)}
		columns={[
			{ head: t.number, cell: ({ number }) => <span className="figure">{number}</span> },
			{ head: t.customer, cell: ({ customerId }) => customerId },
			{ head: t.kind, cell: ({ kind }) => wordFor(kind) },
			{ head: t.received, isWide: true, cell: ({ receivedDate }) => formatDate(receivedDate) },
			{ head: t.reference, isWide: true, cell: ({ reference }) => reference ?? "–" },
			{
				head: t.unallocated,
				isFigure: true,
				isWide: true,
				cell: ({ unallocatedAmount: amount, currency }) => <Money of={{ amount, currency }} />,
			},
			{ head: t.amount, isFigure: true, cell: ({ amount, currency }) => <Money of={{ amount, currency }} /> },
		]}
		add={{
			label: t.record,
			scope: "INVOICE:WRITE",
			dialog: (opening) => (
				<FormDialog
					{...opening}
					title={t.record}
					to={["POST", "/receipts"]}
					schema={ReceiptReport}
					texts={t}
					initial={{ method: "BANK_TRANSFER", excess: "UNALLOCATED" }}
					fields={[
						"customerId",
						["amount", "currency"],
						["method", "reference"],
						"note",
						...allocationFieldsOf("invoiceId"),
					]}
					leadsTo={({ receiptId }: Receipt) => pathTo("/receipts", receiptId)}
					onDone={() => t.recorded}
				/>
			),
		}}
	/>
);
