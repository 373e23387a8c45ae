import { useMutation } from "@tanstack/react-query";
import type { PlanSimulation } from "../../../areas/simulations/schema";
import { send } from "../../api";
import { formatMoney, formatNumber } from "../../kit/format";
import { useOne } from "../../kit/list";
import { Problem } from "../../kit/problem";
import { type Column, Table } from "../../kit/table";
import { Progress } from "../../kit/values";
import { t } from "../../messages/simulation";
import { CustomerName, pathOf } from "./kinds";

const watchedMs = 1_000;

/** The maximum number of rows on the page. The API lists the others. */
const shownMax = 10;

type Compared = PlanSimulation["currencyTotals"][number];
type Costs = Pick<Compared, "currency" | "before" | "after" | "difference">;

const isUnderWay = (status: PlanSimulation["status"]): boolean => status === "PENDING" || status === "IN_PROGRESS";

/** Calculates the last billing period of all subscriptions to the plan at the prices of the draft. It runs as a task. */
export function Simulation({ planId }: { readonly planId: string }) {
	const path = pathOf("PLAN", planId);
	const starting = useMutation({
		mutationFn: async () => (await send<{ data: { taskId: string } }>("POST", `${path}/simulate`, {})).data,
	});
	const { data: found, error } = useOne<PlanSimulation>(
		starting.data && `${path}/simulations/${starting.data.taskId}`,
		(current) => (!current || isUnderWay(current.status) ? watchedMs : false),
	);
	const isRunning =
		starting.isPending || (starting.data !== undefined && !error && (!found || isUnderWay(found.status)));
	return (
		<section className="story" aria-label={t.title} aria-live="polite">
			<h3>{t.title}</h3>
			<p className="quiet small">{t.text}</p>
			<Problem error={starting.error ?? error} />
			{isRunning && (
				<>
					{found ? <Progress percent={found.progress} label={t.progress} /> : <p className="quiet">{t.waiting}</p>}
					<p className="quiet small">{t.optional}</p>
				</>
			)}
			{found && !isUnderWay(found.status) && <Simulated of={found} />}
			{!isRunning && (
				<div>
					<button type="button" onClick={() => starting.mutate()}>
						{starting.data ? t.again : t.start}
					</button>
				</div>
			)}
		</section>
	);
}

function Simulated({ of }: { readonly of: PlanSimulation }) {
	const { status, currencyTotals: totals, customers, customersCount, failures, failuresCount } = of;
	if (status !== "COMPLETED") return <p className="note">{t.stopped}</p>;
	if (totals.length === 0 && failuresCount === 0) return <p className="quiet">{t.nobody}</p>;
	const shown = customers.slice(0, shownMax);
	return (
		<>
			{totals.length > 0 && (
				<Compare
					label={t.total}
					head={t.total}
					rows={totals.map((one) => ({
						...one,
						name: `${one.currency.toUpperCase()} · ${t.subscriptions}: ${formatNumber(one.subscriptionsCount)}`,
					}))}
				/>
			)}
			{totals.length > 0 && <Compare label={t.groups} head={t.group} rows={groupsOf(customers)} />}
			{shown.length > 0 && (
				<>
					<p className="quiet small">
						{t.shown({ shown: formatNumber(shown.length), count: formatNumber(customersCount) })}
					</p>
					<Compare
						label={t.customers}
						head={t.customer}
						rows={shown.map((one) => ({ ...one, name: one.customerId }))}
					/>
				</>
			)}
			{failuresCount > 0 && (
				<>
					<p className="note">
						<span className="strong">{t.failures}.</span> {t.failuresText({ count: formatNumber(failuresCount) })}
					</p>
					<div className="framed">
						<Table
							label={t.failures}
							rows={failures.slice(0, shownMax)}
							rowKey={({ subscriptionId }) => subscriptionId}
							columns={[
								{ head: t.subscription, cell: ({ subscriptionId }) => subscriptionId },
								{ head: t.why, cell: ({ message }) => message },
							]}
						/>
					</div>
				</>
			)}
		</>
	);
}

type Named = Costs & { readonly name: string; readonly customerId?: string };

interface CompareProps {
	readonly label: string;
	readonly head: string;
	readonly rows: readonly Named[];
}

function Compare({ label, head, rows }: CompareProps) {
	const figure = (name: string, of: (row: Named) => string, isWide = false): Column<Named> => ({
		head: name,
		isFigure: true,
		isWide,
		cell: of,
	});
	return (
		<div className="framed">
			<Table
				label={label}
				rows={rows}
				rowKey={({ name, currency }) => `${name} ${currency}`}
				columns={[
					{ head, cell: ({ name, customerId }) => (customerId ? <CustomerName id={customerId} /> : name) },
					figure(t.was, ({ before: amount, currency }) => formatMoney({ amount, currency }), true),
					figure(t.wouldBe, ({ after: amount, currency }) => formatMoney({ amount, currency })),
					figure(t.difference, ({ difference, currency }) => signed(difference, currency)),
				]}
			/>
		</div>
	);
}

const signed = (amount: number, currency: string): string =>
	`${amount > 0 ? "+" : ""}${formatMoney({ amount, currency })}`;

/** Groups the listed customers by whether they pay more, less or the same, and by currency. */
function groupsOf(customers: readonly Costs[]): Named[] {
	const kindOf = ({ difference }: Costs) => (difference > 0 ? t.more : difference < 0 ? t.less : t.same);
	const groups = Map.groupBy(customers, (one) => `${kindOf(one)} ${one.currency}`);
	const sumOf = (some: readonly Costs[], name: "before" | "after" | "difference") =>
		some.reduce((sum, one) => sum + one[name], 0);
	return [...groups.values()].flatMap((some) =>
		some[0]
			? [
					{
						name: `${kindOf(some[0])}: ${formatNumber(some.length)}`,
						currency: some[0].currency,
						before: sumOf(some, "before"),
						after: sumOf(some, "after"),
						difference: sumOf(some, "difference"),
					},
				]
			: [],
	);
}
