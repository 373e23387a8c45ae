import { useQueries } from "@tanstack/react-query";
import { Link } from "wouter";
import { get, type ListAnswer, withQuery } from "../../api";
import { Card, Empty } from "../../kit/page";
import { fill } from "../../messages/language";
import { t } from "../../messages/overview";
import { may } from "../../session";

/** Our choice: more than so many are not counted, so that what it costs does not grow with them. */
const countedMax = 20;

/** Lists whose rows somebody should look at, and where they are looked at. */
const kinds = [
	{ name: t.overdue, scope: "INVOICE:READ", path: "/invoices", query: { overdue: true } },
	{ name: t.failedSteps, scope: "SUBSCRIPTION:READ", path: "/subscriptions", query: { hasProblem: true } },
	{ name: t.failedTasks, scope: "ENVIRONMENT:READ", path: "/tasks", query: { status: "FAILED" } },
	{ name: t.webhooksOff, scope: "WEBHOOK:READ", path: "/webhooks", query: { status: "INACTIVE" } },
] as const;

export function Attention() {
	const shown = kinds.filter(({ scope }) => may(scope));
	const found = useQueries({
		queries: shown.map(({ path, query }) => {
			const asked = withQuery(path, { ...query, limit: countedMax });
			return { queryKey: [asked], queryFn: () => get<ListAnswer<unknown>>(asked) };
		}),
	});
	const rows = shown.flatMap((kind, at) => {
		const answer = found[at]?.data;
		if (!answer || answer.data.length === 0) return [];
		const count = answer.data.length;
		return [{ ...kind, count: answer.pagination.next ? fill(t.more, { count }) : String(count) }];
	});
	if (found.some(({ isPending }) => isPending)) return null;
	if (rows.length === 0)
		return (
			<Card>
				<Empty title={t.fine} text={t.fineText} />
			</Card>
		);
	return (
		<section className="figures" aria-label={t.needs}>
			{rows.map(({ name, path, query, count }) => (
				<Link key={name} href={withQuery(path, query)}>
					<span className="quiet small">{name}</span>
					<span className="value">{count}</span>
				</Link>
			))}
		</section>
	);
}
