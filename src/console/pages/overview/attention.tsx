import { useQueries } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Contract } from "../../../areas/contracts/schema.shown";
import type { InvoiceInBooks } from "../../../areas/invoices/lists/schema";
import type { Subscription } from "../../../areas/subscriptions/schema";
import type { Webhook } from "../../../areas/webhooks/schema";
import type { ListedTask } from "../../../tasks/schema";
import { get, type ListAnswer, type Query, withQuery } from "../../api";
import { formatDate, formatRelative } from "../../kit/format";
import { Card, Empty } from "../../kit/page";
import { useNow } from "../../kit/values";
import { t } from "../../messages/overview";
import { taskName } from "../../messages/tasks";
import { may } from "../../session";

/** More are not counted, so that the cost does not grow with them. */
const countedMax = 20;

/** Enough time to negotiate the next contract, and to talk to a customer in a trial. */
const contractDays = 60;
const trialDays = 7;

/** A list of things that somebody should look at. */
interface Kind {
	readonly name: string;
	readonly scope: string;
	readonly path: string;
	readonly query: Query;
	/** Describes the first row. */
	readonly first: (row: unknown, now: number) => string;
}

const kind = <Row,>(
	name: string,
	scope: string,
	path: string,
	query: Query,
	first: (row: Row, now: number) => string,
): Kind => ({ name, scope, path, query, first: (row, now) => first(row as Row, now) });

const hostOf = ({ endpoint }: Webhook): string => URL.parse(endpoint)?.host ?? endpoint;

const kinds = [
	kind<InvoiceInBooks>(t.overdue, "INVOICE:READ", "/invoices", { overdue: true }, (invoice) =>
		t.firstOverdue({
			name: invoice.customerName ?? invoice.customerExternalId ?? "",
			date: formatDate(invoice.dueDate),
		}),
	),
	kind<Subscription>(
		t.failedSteps,
		"SUBSCRIPTION:READ",
		"/subscriptions",
		{ hasProblem: true },
		({ problem, id }) => problem?.message ?? id,
	),
	kind<Contract>(
		t.expiring,
		"CONTRACT:READ",
		"/contracts",
		{ expiresWithinDays: contractDays },
		({ name, contractId, activationEndDate }, now) =>
			`${name ?? contractId} · ${formatRelative(activationEndDate, now)}`,
	),
	kind<Subscription>(
		t.trials,
		"SUBSCRIPTION:READ",
		"/subscriptions",
		{ trialEndsWithinDays: trialDays },
		({ customerId, trialEndDate }, now) => `${customerId} · ${formatRelative(trialEndDate, now)}`,
	),
	kind<ListedTask>(t.failedTasks, "ENVIRONMENT:READ", "/tasks", { status: "FAILED" }, ({ taskType }) =>
		taskName(taskType),
	),
	kind<Webhook>(
		t.webhooksFailing,
		"WEBHOOK:READ",
		"/webhooks",
		{ failing: true },
		(webhook) => `${hostOf(webhook)} · ${formatRelative(webhook.failingSince, Date.now())}`,
	),
	kind<Webhook>(t.webhooksOff, "WEBHOOK:READ", "/webhooks", { status: "INACTIVE" }, hostOf),
];

export function Attention() {
	const now = useNow();
	const shown = kinds.filter(({ scope }) => may(scope));
	const found = useQueries({
		queries: shown.map(({ path, query }) => {
			const request = withQuery(path, { ...query, limit: countedMax });
			return { queryKey: [request], queryFn: () => get<ListAnswer<unknown>>(request) };
		}),
	});
	if (found.some(({ isPending }) => isPending)) return null;
	const figures = shown.flatMap(({ first, ...one }, at) => {
		const { data = [], pagination } = found[at]?.data ?? {};
		if (data.length === 0) return [];
		const count = pagination?.next ? t.more({ count: data.length }) : String(data.length);
		return [{ ...one, count, first: first(data[0], now) }];
	});
	if (figures.length === 0)
		return (
			<Card>
				<Empty title={t.fine} text={t.fineText} />
			</Card>
		);
	return (
		<section className="figures" aria-label={t.needs}>
			{figures.map(({ name, path, query, count, first }) => (
				<Link key={name} href={withQuery(path, query)}>
					<span className="quiet small">{name}</span>
					<span className="value">{count}</span>
					<span className="quiet small">{first}</span>
				</Link>
			))}
		</section>
	);
}
