import { assert } from "../../kernel/errors";
import { systemActor } from "../access/rules.actors";
import { customersByIds } from "../customers/operations";
import { plannedOf } from "./calls/operations";
import type { ProviderCallRow } from "./calls/table";
import type { CollectorOptions } from "./collector-options";
import { getConnection, type PlannedChange } from "./connections/operations";
import { openCredentials } from "./connections/rules.secrets";
import type { PlannedDisputeCall } from "./disputes/operations";
import type { PlannedMethod } from "./methods/operations";
import { connectedProvider, foreignSecret } from "./open-connection";
import type { CallReport } from "./operations.calls";
import { findCustomerRef, type PageLook, type PlannedPage } from "./pages/operations";
import type { MethodPageRow } from "./pages/table";
import { ProviderError } from "./providers/provider";

/** Makes a call that a caller of the API waits for, and reports its end to the writer. */
export async function makeCall(options: CollectorOptions, call: ProviderCallRow): Promise<void> {
	const report = await reportOf(options, call);
	await options.write(systemActor(call.environmentId), "endProviderCall", { callId: call.id, report });
}

async function reportOf(options: CollectorOptions, call: ProviderCallRow): Promise<CallReport> {
	try {
		switch (call.kind) {
			case "VERIFY_CONNECTION":
				return await verify(options, call);
			case "OPEN_PAGE":
				return await openPage(options, call);
			case "LOOK_METHOD":
				return await lookMethod(options, call);
			case "SEND_EVIDENCE":
			case "ACCEPT_DISPUTE":
				return await answerDispute(options, call, call.kind);
		}
	} catch (error) {
		if (!(error instanceof ProviderError)) throw error;
		return { kind: "REFUSED", message: refusalOf(error, call) };
	}
}

async function verify(
	{ transactions, open, folderSecret }: CollectorOptions,
	call: ProviderCallRow,
): Promise<CallReport> {
	const planned = plannedOf<PlannedChange>(call);
	const kind = planned.isNew
		? planned.connection.kind
		: transactions.read(systemActor(call.environmentId), (work) => getConnection(work, planned.id).kind);
	const sealed = planned.isNew ? planned.connection.sealedSecret : planned.change.sealedSecret;
	const credentials = openCredentials(folderSecret, call.subjectId, sealed ?? "");
	if (!credentials) throw foreignSecret();
	return { kind: "VERIFIED", verified: await (await open(kind, credentials)).verify() };
}

/** The id of the call is the key: a repeated call opens the same page. */
async function openPage(options: CollectorOptions, call: ProviderCallRow): Promise<CallReport> {
	const { customerId, connectionId, successUrl, cancelUrl } = plannedOf<PlannedPage>(call);
	const { customer, customerRef } = options.transactions.read(systemActor(call.environmentId), (work) => ({
		customer: customersByIds(work, [customerId]).get(customerId),
		customerRef: findCustomerRef(work, customerId, connectionId),
	}));
	assert(customer, "a customer of a page is there");
	const provider = await connectedProvider(options, call.environmentId, connectionId);
	const page = await provider.openPage(
		{
			...{ purpose: "SAVE_METHOD", ours: call.subjectId, customerRef, money: null, description: "", savesMethod: true },
			...{ customerName: customer.name, customerEmail: customer.email, successUrl, cancelUrl },
		},
		call.id,
	);
	return { kind: "OPENED", page };
}

async function lookMethod(options: CollectorOptions, call: ProviderCallRow): Promise<CallReport> {
	const { connectionId, methodRef } = plannedOf<PlannedMethod>(call);
	const provider = await connectedProvider(options, call.environmentId, connectionId);
	return { kind: "METHOD", method: await provider.lookMethod(methodRef) };
}

/** The id of the call is the key: a repeated call sends the same evidence. */
async function answerDispute(
	options: CollectorOptions,
	call: ProviderCallRow,
	kind: "SEND_EVIDENCE" | "ACCEPT_DISPUTE",
): Promise<CallReport> {
	const { connectionId, ref, evidence } = plannedOf<PlannedDisputeCall>(call);
	const provider = await connectedProvider(options, call.environmentId, connectionId);
	const accepts = kind === "ACCEPT_DISPUTE";
	const answer = accepts ? await provider.acceptDispute(ref) : await provider.sendEvidence(ref, evidence, call.id);
	return { kind: "DISPUTE", answer, byChoice: accepts };
}

/** Looks up a page, and reports its state to the writer. */
export async function lookUpPage(options: CollectorOptions, page: MethodPageRow): Promise<void> {
	const look = await lookOf(options, page);
	await options.write(systemActor(page.environmentId), "applyPageLook", { pageId: page.id, look });
}

async function lookOf(options: CollectorOptions, page: MethodPageRow): Promise<PageLook> {
	try {
		const provider = await connectedProvider(options, page.environmentId, page.connectionId);
		const { state, method } = await provider.lookPage(page.ref);
		return { state, method };
	} catch (error) {
		if (!(error instanceof ProviderError)) throw error;
		options.log.warn(
			{ pageId: page.id, err: error },
			"a page of a provider could not be looked up; it is looked up later",
		);
		return null;
	}
}

function refusalOf({ kind, message }: ProviderError, call: ProviderCallRow): string {
	switch (kind) {
		case "CREDENTIALS":
			return call.kind === "VERIFY_CONNECTION"
				? `The provider rejects 'secretKey': ${message}. Nothing was stored; send a valid key.`
				: `The provider rejects the credentials of the connection: ${message}. Set 'secretKey' of the connection again.`;
		case "UNANSWERED":
		case "LATER":
			return `The provider did not answer: ${message}. Nothing was stored; try again shortly.`;
		default:
			return `The provider rejects the call: ${message}. Nothing was stored.`;
	}
}
