import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { AttemptCreate, AttemptResolution, type PaymentAttempt } from "../../../areas/collection/attempts/schema";
import type { PaymentMethod } from "../../../areas/collection/methods/schema";
import { pathTo } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { formatMoney } from "../../kit/format";
import { FormButton } from "../../kit/forms/form-dialog";
import { useList } from "../../kit/list";
import { ListCard } from "../../kit/list-card";
import { Facts } from "../../kit/page";
import { CopiedText } from "../../kit/secret";
import { Badge, Money, To, type Tone, When } from "../../kit/values";
import { t, wordFor } from "../../messages/charging";
import { may } from "../../session";
import { methodText } from "../customers/method-text";
import { amountIn, type InvoiceProps } from "./amounts";

const tones: Partial<Record<PaymentAttempt["state"], Tone>> = {
	SUCCEEDED: "good",
	FAILED: "bad",
	UNKNOWN: "bad",
	REQUIRES_ACTION: "warn",
	CANCELED: "quiet",
};

const StateBadge = ({ state }: Pick<PaymentAttempt, "state">) => (
	<Badge tone={tones[state] ?? "info"}>{wordFor(state)}</Badge>
);

/** The interval at which attempts are read again while one is under way. */
const watchedMs = 3_000;

const isUnderWay = ({ endedAt }: PaymentAttempt): boolean => endedAt === null;

/** The attempts to charge an invoice. The card is hidden while there are none. */
export function Attempts({ invoice }: InvoiceProps) {
	const read = {
		fixed: { invoiceId: invoice.invoiceId },
		...{ limit: 20, isFirstPage: true },
		everyMs: (rows: readonly unknown[]) => (rows as readonly PaymentAttempt[]).some(isUnderWay) && watchedMs,
	};
	const { rows } = useList<PaymentAttempt>("/attempts", read);
	const client = useQueryClient();
	const ended = rows?.filter((row) => !isUnderWay(row)).length;
	// The end of an attempt changes the invoice and its payments.
	useEffect(() => {
		if (ended) void client.invalidateQueries();
	}, [ended, client]);
	return (
		<ListCard<PaymentAttempt>
			title={t.attempts}
			path="/attempts"
			{...read}
			isHiddenEmpty
			empty={{ title: t.noAttempts }}
			details={{ title: () => t.attempts, show: (attempt, close) => <Details attempt={attempt} onDone={close} /> }}
			columns={[
				{ head: t.started, cell: ({ createdAt }) => <When at={createdAt} /> },
				{ head: t.state, cell: (attempt) => <StateBadge {...attempt} /> },
				{ head: t.failure, isWide: true, cell: ({ failure }) => failure?.message ?? "–" },
				{ head: t.amount, isFigure: true, cell: ({ amount, currency }) => <Money of={{ amount, currency }} /> },
			]}
		/>
	);
}

interface DetailsProps {
	readonly attempt: PaymentAttempt;
	readonly onDone: () => void;
}

function Details({ attempt, onDone }: DetailsProps) {
	const { id, state, failure, actionUrl, receiptId, trigger, reference, createdAt, endedAt } = attempt;
	return (
		<>
			<Facts
				of={{
					[t.state]: <StateBadge state={state} />,
					[t.amount]: <Money of={attempt} />,
					[t.trigger]: wordFor(trigger),
					[t.failure]: failure && `${failure.message} (${failure.code})`,
					[t.bucket]: failure && wordFor(failure.bucket),
					[t.reference]: reference && <Id of={reference} />,
					[t.receipt]: receiptId && <To list="/receipts" id={receiptId} />,
					[t.started]: <When at={createdAt} />,
					[t.ended]: endedAt && <When at={endedAt} />,
					[t.id]: <Id of={id} />,
				}}
			/>
			{actionUrl && <CopiedText name={t.actionUrl} text={actionUrl} />}
			{endedAt === null && may("INVOICE:WRITE") && <Actions attempt={attempt} onDone={onDone} />}
		</>
	);
}

function Actions({ attempt: { id, state }, onDone }: DetailsProps) {
	const path = pathTo("/attempts", id);
	if (state !== "UNKNOWN")
		return (
			<footer>
				<ConfirmButton {...confirmation(t, "cancel")} isDanger perform={["POST", `${path}/cancel`]} onDone={onDone} />
			</footer>
		);
	return (
		<footer>
			<FormButton
				label={t.resolve}
				to={["POST", `${path}/resolve`]}
				schema={AttemptResolution}
				texts={t}
				initial={{ outcome: "SUCCEEDED" }}
				fields={[
					() => <p>{t.resolveSays}</p>,
					{
						name: "outcome",
						options: (["SUCCEEDED", "FAILED"] as const).map((value) => ({ value, label: t[value] })),
					},
					{ name: "reference", isRequired: true, when: ({ outcome }) => outcome === "SUCCEEDED" },
				]}
				action={t.resolve}
				onDone={() => {
					onDone();
					return t.resolved;
				}}
			/>
		</footer>
	);
}

/** Charges the amount due of an open invoice to a saved method. It is hidden if the customer has none. */
export function ChargeButton({ invoice }: InvoiceProps) {
	const { customerExternalId: customerId } = invoice;
	const { rows = [] } = useList<PaymentMethod>(pathTo("/customers", customerId ?? "", "payment-methods"), {
		...{ limit: 20, isFirstPage: true, isEnabled: may("CUSTOMER:READ") && customerId !== null },
	});
	if (rows.length === 0) return null;
	return (
		<FormButton
			label={t.charge}
			to={["POST", "/attempts"]}
			schema={AttemptCreate}
			texts={t}
			initial={{ invoiceId: invoice.invoiceId }}
			fields={[
				() => <p>{t.chargeSays({ amount: formatMoney(amountIn(invoice, invoice.amountDue)) })}</p>,
				{
					...{ name: "paymentMethodId", kind: "select", none: t.paymentMethodIdNone },
					options: rows.map((row) => ({ value: row.id, label: methodText(row) })),
				},
			]}
			action={t.charge}
			onDone={() => t.charging}
		/>
	);
}
