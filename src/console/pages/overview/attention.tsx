import { useQueries } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Contract } from "../../../areas/contracts/schema";
import type { InvoiceInBooks } from "../../../areas/invoices/lists/schema";
import type { Subscription } from "../../../areas/subscriptions/schema";
import type { Webhook } from "../../../areas/webhooks/schema";
import type { ListedTask } from "../../../tasks/schema";
import { get, type ListAnswer, type Query, withQuery } from "../../api";
import { useNow } from "../../kit/clock";
import { formatDate, formatRelative } from "../../kit/format";
import { Card, Empty } from "../../kit/page";
import { t } from "../../messages/overview";
import { taskName } from "../../messages/tasks";
import { may } from "../../session";

/** Our choice: more than so many are not counted, so that what it costs does not grow with them. */
const countedMax = 20;

/** Our choices: time enough to negotiate what follows a contract, and to speak with who tries. */
const contractDays = 60;
const trialDays = 7;

/** Rows of a list that somebody should look at, and where they are looked at. */
interface Kind {
	readonly name: string;
	readonly scope: string;
	readonly path: string;
	readonly query: Query;
	/** Of the first row: what it is, and since or until when. */
	readonly first: string | undefined;
	readonly count: string;
}

const kind = <Row,>(
	name: string,
	scope: string,
	path: string,
	query: Query,
	first: (row: Row, now: number) => string,
) => ({
	...{ name, scope, path, query },
	found: ({ data, pagination }: ListAnswer<unknown>, now: number): Kind | undefined => {
		const [row] = data as readonly Row[];
		if (!row) return undefined;
		const count = pagination.next ? t.more({ count: data.length }) : String(data.length);
		return { name, scope, path, query, first: first(row, now), count };
	},
});

const kinds = [
	kind<InvoiceInBooks>(
		t.overdue,
		"INVOICE:READ",
		"/invoices",
		{ overdue: true },
		({ customerName, customerExternalId, dueDate }) =>
			t.firstOverdue({ name: customerName ?? customerExternalId ?? "", date: formatDate(dueDate) }),
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
		({ endpoint, failingSince }) => `${hostOf(endpoint)} · ${formatRelative(failingSince, Date.now())}`,
	),
	kind<Webhook>(t.webhooksOff, "WEBHOOK:READ", "/webhooks", { status: "INACTIVE" }, ({ endpoint }) => hostOf(endpoint)),
];

const hostOf = (endpoint: string): string => URL.parse(endpoint)?.host ?? endpoint;

export function Attention() {
	const now = useNow();
	const shown = kinds.filter(({ scope }) => may(scope));
	const found = useQueries({
		queries: shown.map(({ path, query }) => {
			const asked = withQuery(path, { ...query, limit: countedMax });
			return { queryKey: [asked], queryFn: () => get<ListAnswer<unknown>>(asked) };
		}),
	});
	if (found.some(({ isPending }) => isPending)) return null;
	const rows = shown.flatMap((one, at) => {
		const answer = found[at]?.data;
		return (answer && one.found(answer, now)) ?? [];
	});
	if (rows.length === 0)
		return (
			<Card>
				<Empty title={t.fine} text={t.fineText} />
			</Card>
		);
	return (
		<section className="figures" aria-label={t.needs}>
			{rows.map(({ name, path, query, count, first }) => (
				<Link key={name} href={withQuery(path, query)}>
					<span className="quiet small">{name}</span>
					<span className="value">{count}</span>
					<span className="quiet small">{first}</span>
				</Link>
			))}
		</section>
	);
}
