import { systemActor } from "../access/rules.actors";
import { findAttemptOf } from "./attempts/operations";
import { isFinal } from "./attempts/rules.states";
import type { CollectorOptions } from "./collector-options";
import { eventsAbout } from "./events/operations";
import type { ProviderEventRow } from "./events/table";
import { lookUpPage } from "./make-call";
import { connectedProvider } from "./open-connection";
import { findPageByRef } from "./pages/operations";
import { ProviderError } from "./providers/provider";
import { lookUpDispute } from "./run-dispute";
import { lookUpRefund } from "./run-refund";

/** One look-up answers this many events about the same object. */
const eventsMax = 500;

/** Events about one object need one look-up. */
export const eventKey = ({ connectionId, thing, ref }: ProviderEventRow): string => `${connectionId} ${thing} ${ref}`;

/** Looks up the object of an event. The writer applies what the provider reports, and ends all events that came before the look-up. */
export async function runEvent(options: CollectorOptions, event: ProviderEventRow): Promise<void> {
	const actor = systemActor(event.environmentId);
	const about = options.transactions.read(actor, (work) => eventsAbout(work, event, eventsMax));
	if (about.length === 0) return;
	const isAnswered = await isLookedUp(options, event);
	await options.write(actor, "endProviderEvents", { ids: about.map(({ id }) => id), isAnswered });
}

async function isLookedUp(options: CollectorOptions, event: ProviderEventRow): Promise<boolean> {
	try {
		await lookUp(options, event);
		return true;
	} catch (error) {
		if (!(error instanceof ProviderError)) throw error;
		options.log.warn(
			{ eventRef: event.eventRef, err: error },
			"the object of a provider's event could not be looked up; it is looked up later",
		);
		// A rejected look-up stays rejected.
		return error.kind === "REJECTED";
	}
}

async function lookUp(options: CollectorOptions, event: ProviderEventRow): Promise<void> {
	switch (event.thing) {
		case "PAYMENT":
			return await lookUpPayment(options, event);
		case "REFUND":
			return await lookUpRefund(options, event);
		case "DISPUTE":
			return await lookUpDispute(options, event);
		case "PAGE":
			return await lookUpPageOf(options, event);
		default:
			return;
	}
}

/** A payment that Tollgate did not make is none of its attempts, and changes nothing. */
async function lookUpPayment(
	options: CollectorOptions,
	{ environmentId, connectionId, ref }: ProviderEventRow,
): Promise<void> {
	const actor = systemActor(environmentId);
	const provider = await connectedProvider(options, environmentId, connectionId);
	const answer = await provider.look(ref);
	if (answer === "NOT_FOUND") return;
	const attempt = options.transactions.read(actor, (work) => findAttemptOf(work, connectionId, answer));
	if (!attempt || attempt.state === "SUCCEEDED") return;
	if (isFinal(attempt.state) && answer.state !== "SUCCEEDED") return;
	const { twoSteps, findByReference, keyHours } = provider.can;
	await options.write(actor, "applyAttemptStep", {
		...{ attemptId: attempt.id, step: "LOOK", outcome: { kind: "ANSWER", answer } },
		can: { twoSteps, findByReference, keyHours },
	});
}

async function lookUpPageOf(
	options: CollectorOptions,
	{ environmentId, connectionId, ref }: ProviderEventRow,
): Promise<void> {
	const page = options.transactions.read(systemActor(environmentId), (work) => findPageByRef(work, connectionId, ref));
	if (page) await lookUpPage(options, page);
}
