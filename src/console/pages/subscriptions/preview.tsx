import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { InvoicePreview, SubscriptionPreviewed } from "../../../areas/subscriptions/preview/schema";
import { send } from "../../api";
import { formatDate, formatMoney, formatNumber } from "../../kit/format";
import { Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Table } from "../../kit/table";
import { lineText } from "../../messages/shared/wordings";
import { t } from "../../messages/subscriptions";

/** Changes within this time make one request. */
const typingMs = 300;

interface PreviewProps {
	/** The body of the request; undefined while it is incomplete. */
	readonly of: object | undefined;
	/** Drafts have a route of their own. */
	readonly path?: string | undefined;
	/** Another dependency: its changes repeat the request. */
	readonly asOf?: unknown;
	/** The text shown while it is incomplete. */
	readonly first?: string;
}

/** The price of an order, as the server calculates it. */
export function Preview({ of, path = "/subscriptions/preview", asOf, first = t.previewFirst }: PreviewProps) {
	const request = of && JSON.stringify([path, of]);
	const settled = useSettled(request);
	const state = JSON.stringify(asOf);
	// A query would be read again after publishing, when there is no draft.
	const { data, error, isPending, mutate } = useMutation({
		mutationFn: async (text: string) => {
			const [where, body]: [string, object] = JSON.parse(text);
			return (await send<{ data: SubscriptionPreviewed }>("POST", where, body)).data;
		},
	});
	const [shown, show] = useState<SubscriptionPreviewed>();
	// biome-ignore lint/correctness/useExhaustiveDependencies: the same request has another answer in another state; a request that is about to change is not sent.
	useEffect(() => {
		if (settled !== undefined && settled === request) mutate(settled);
	}, [settled, state, mutate]);
	useEffect(() => {
		if (data) show(data);
	}, [data]);
	return (
		<section className="preview" aria-label={t.preview} aria-live="polite" aria-busy={isPending}>
			<h3>{t.preview}</h3>
			{settled === undefined && <p className="quiet small">{first}</p>}
			{settled !== undefined && error && <Problem error={error} />}
			{settled !== undefined && !error && !shown && <Skeleton lines={3} />}
			{settled !== undefined && !error && shown && <Previewed of={shown} />}
		</section>
	);
}

function useSettled(text: string | undefined): string | undefined {
	const [settled, setSettled] = useState(text);
	useEffect(() => {
		const timer = setTimeout(() => setSettled(text), typingMs);
		return () => clearTimeout(timer);
	}, [text]);
	return settled;
}

function Previewed({ of }: { readonly of: SubscriptionPreviewed }) {
	const { immediateInvoice, recurringInvoice, isPlanDowngrade } = of;
	return (
		<>
			{isPlanDowngrade && <p className="note">{t.isDowngrade}</p>}
			{immediateInvoice.lines.length === 0 ? (
				<p className="quiet">{recurringInvoice ? t.nothingNow : t.free}</p>
			) : (
				<Invoice name={t.now} of={immediateInvoice} />
			)}
			{recurringInvoice && recurringInvoice.lines.length > 0 && <Invoice name={t.later} of={recurringInvoice} />}
			<p className="quiet small">{t.previewText}</p>
		</>
	);
}

function Invoice({ name, of }: { readonly name: string; readonly of: InvoicePreview }) {
	const currency = of.currency ?? of.lines[0]?.currency ?? "usd";
	const money = (amount: number) => formatMoney({ amount, currency });
	const { billingPeriodRange: range } = of;
	const when = range ? ` · ${formatDate(range.start)} – ${formatDate(range.end)}` : "";
	return (
		<div className="previewed">
			<p className="small quiet">
				{name}
				{when}
			</p>
			<Table
				label={name}
				rows={of.lines.map((line, at) => ({ ...line, at }))}
				rowKey={({ at }) => String(at)}
				columns={[
					{ head: name, cell: ({ description }) => lineText(description) },
					{ head: "×", isFigure: true, cell: ({ quantity }) => formatNumber(quantity) },
					{ head: t.total, isFigure: true, cell: ({ subTotal }) => money(subTotal) },
				]}
			/>
			<dl className="sums">
				{of.discount !== 0 && <Sum name={t.discount} value={money(-of.discount)} />}
				{of.tax !== 0 && <Sum name={t.tax} value={money(of.tax)} />}
				<Sum name={t.total} value={money(of.total)} isStrong />
			</dl>
		</div>
	);
}

const Sum = ({ name, value, isStrong }: { name: string; value: string; isStrong?: boolean }) => (
	<div className={isStrong ? "strong" : ""}>
		<dt>{name}</dt>
		<dd className="figure">{value}</dd>
	</div>
);
