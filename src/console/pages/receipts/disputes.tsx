import { type Dispute, DisputeChange, DisputeReport, nextDisputeStates } from "../../../areas/invoices/disputes/schema";
import type { ReceiptDetail } from "../../../areas/invoices/receipts/schema";
import { pathTo } from "../../api";
import { formatDate } from "../../kit/format";
import { FormButton } from "../../kit/forms/form-dialog";
import { Card, Loaded } from "../../kit/page";
import { Table } from "../../kit/table";
import { Badge, Money } from "../../kit/values";
import { t, wordFor } from "../../messages/receipts";
import { may } from "../../session";

/** Records a dispute of a receipt. */
export const DisputeButton = ({ receipt }: { readonly receipt: ReceiptDetail }) => (
	<FormButton
		label={t.dispute}
		to={["POST", `${pathTo("/receipts", receipt.receiptId)}/disputes`]}
		schema={DisputeReport}
		texts={t}
		initial={{ state: "NEEDS_RESPONSE" }}
		fields={[
			"state",
			{ name: "amount", unit: receipt.currency.toUpperCase() },
			["reason", "reference"],
			"evidenceDueDate",
			"note",
		]}
		action={t.dispute}
		onDone={() => t.disputed}
	/>
);

/** The disputes of a receipt, and their next states. The card is hidden as long as there are none. */
export const Disputes = ({ receiptId }: { readonly receiptId: string }) => (
	<Loaded<readonly Dispute[]> path={`/disputes?receiptId=${encodeURIComponent(receiptId)}&limit=100`}>
		{(disputes) =>
			disputes.length > 0 && (
				<Card title={t.disputes} isFlush>
					<Table<Dispute>
						label={t.disputes}
						rows={disputes}
						rowKey={({ disputeId }) => disputeId}
						columns={[
							{ head: t.state, cell: ({ state }) => <Badge>{wordFor(state)}</Badge> },
							{ head: t.reason, cell: ({ reason }) => reason ?? "–" },
							{ head: t.reference, isWide: true, cell: ({ reference }) => reference ?? "–" },
							{
								head: t.evidenceDueDate,
								isWide: true,
								cell: ({ evidenceDueDate }) => (evidenceDueDate === null ? "–" : formatDate(evidenceDueDate)),
							},
							{
								head: t.amount,
								isFigure: true,
								cell: ({ amount, currency }) => <Money of={{ amount, currency }} />,
							},
							{ head: t.changeState, cell: (dispute) => <StateButton dispute={dispute} /> },
						]}
					/>
				</Card>
			)
		}
	</Loaded>
);

function StateButton({ dispute }: { readonly dispute: Dispute }) {
	const next = nextDisputeStates[dispute.state];
	if (next.length === 0 || !may("INVOICE:WRITE")) return "–";
	return (
		<FormButton
			label={t.changeState}
			to={["POST", `${pathTo("/disputes", dispute.disputeId)}/state`]}
			schema={DisputeChange}
			texts={t}
			fields={[
				{ name: "state", options: next.map((state) => ({ value: state, label: wordFor(state) })) },
				"evidenceDueDate",
				"note",
			]}
			action={t.changeState}
			onDone={() => t.stateChanged}
		/>
	);
}
