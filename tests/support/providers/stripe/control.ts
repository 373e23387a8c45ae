import type { FaultRates, PlannedFault } from "../faults";
import { closeDispute, escalate, openDispute } from "./disputes";
import { payOutAll } from "./money";
import type { StandIn } from "./stand-in";

/**
 * The controls of a stand-in in another process, below `/_stand-in/`: `POST clock` ({at} or {advanceMs}), `POST faults` (rates),
 * `POST plan` (one planned fault), `POST endpoint` ({url}), `POST payout`, `POST dispute` ({charge, why} or {dispute, outcome}),
 * `GET state` (all objects), `GET totals` (sums by our reference), `POST settled`.
 */
export async function control(standIn: StandIn, request: Request, url: URL): Promise<Response> {
	const { account } = standIn;
	const body = request.method === "POST" ? ((await request.json()) as Readonly<Record<string, unknown>>) : {};
	switch (url.pathname.slice("/_stand-in/".length)) {
		case "clock":
			if (typeof body.at === "number") standIn.setClock(body.at);
			if (typeof body.advanceMs === "number") standIn.advance(body.advanceMs);
			return Response.json({ now: account.clock.now() });
		case "faults":
			standIn.setFaults(body as Partial<FaultRates>);
			return Response.json({});
		case "plan":
			standIn.plan(body as unknown as PlannedFault);
			return Response.json({});
		case "endpoint":
			standIn.sendEventsTo(String(body.url));
			return Response.json({ secret: standIn.webhookSecret });
		case "payout":
			return Response.json(payOutAll(account));
		case "dispute":
			return Response.json(changeDispute(standIn, body));
		case "settled":
			await standIn.eventsSettled();
			return Response.json({});
		case "totals":
			return Response.json(totals(standIn));
		case "state":
			return Response.json(
				Object.fromEntries(
					Object.entries(account.objects).map(([name, all]) => [name, all instanceof Map ? [...all.values()] : all]),
				),
			);
		default:
			return new Response("Unknown control", { status: 404 });
	}
}

function changeDispute({ account }: StandIn, body: Readonly<Record<string, unknown>>): object {
	const charge = account.objects.charges.get(String(body.charge));
	if (charge) return openDispute(account, charge, body.why === "inquiry" ? "inquiry" : "fraudulent");
	const dispute = account.objects.disputes.get(String(body.dispute));
	if (!dispute) return { error: "unknown dispute" };
	if (body.outcome === "escalate") escalate(account, dispute);
	else closeDispute(account, dispute, body.outcome === "won" ? "won" : "lost");
	return dispute;
}

/** Sums by our reference: what was charged how often, and what was refunded. Kill tests compare them. */
function totals({ account }: StandIn): object {
	const { charges, refunds, intents, disputes } = account.objects;
	const byReference: Record<string, { charged: number; charges: number; refunded: number }> = {};
	for (const charge of charges.values()) {
		if (charge.status !== "succeeded") continue;
		const reference = charge.metadata.tollgate ?? "";
		const sums = byReference[reference] ?? { charged: 0, charges: 0, refunded: 0 };
		byReference[reference] = sums;
		sums.charged += charge.amount;
		sums.charges += 1;
		sums.refunded += charge.amount_refunded;
	}
	const open = [...intents.values()].filter(({ status }) => ["processing", "requires_action"].includes(status));
	return { byReference, refunds: refunds.size, disputes: disputes.size, openIntents: open.length };
}
