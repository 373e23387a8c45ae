import type { Phases } from "../../../areas/packages/charges/schema";
import type { PublishImpact } from "../../../areas/packages/versions/schema.impact";
import { formatNumber } from "../../kit/format";
import { Facts } from "../../kit/page";
import { Table } from "../../kit/table";
import { Badge, type Tone } from "../../kit/values";
import { t } from "../../messages/packages";
import { t as words } from "../../messages/prices/phases";
import { t as terms } from "../../messages/prices/terms";
import { termText } from "../prices/term";
import { durationText, phasePrices } from "./charges";
import { CustomerName, useFeatures } from "./kinds";
import {
	billedText,
	chargedFor,
	commitmentsText,
	grantText,
	notesOf,
	priceText,
	resetText,
	thresholdsText,
} from "./price-text";

interface Change {
	readonly what: string;
	readonly change: PublishImpact["charges"][number]["change"];
	readonly before: string;
	readonly after: string;
}

const tones: Readonly<Record<Change["change"], Tone>> = { ADDED: "good", REMOVED: "bad", CHANGED: "warn" };

const missing = "–";

/** Each name takes one request. */
const shownMax = 20;

/** The changes of a publication, and the customers who lose entitlements. */
export function Impact({ of: impact }: { readonly of: PublishImpact }) {
	const { nameOf } = useFeatures();
	const changes = [
		...impact.charges.map(ofCharge(nameOf)),
		...(impact.phases ? [ofPhases(impact.phases)] : []),
		...ofThresholds(impact),
		...ofTerm(impact),
		...ofCommitments(impact),
		...impact.entitlements.map(ofEntitlement(nameOf)),
	];
	const { customersLosing, customersLosingCount: count } = impact;
	const losing = customersLosing.slice(0, shownMax);
	return (
		<div className="story">
			<h3>{t.changes}</h3>
			{changes.length === 0 ? (
				<p className="quiet">{t.noChanges}</p>
			) : (
				<div className="framed">
					<Table
						label={t.changes}
						rows={changes}
						rowKey={({ what, before, after }) => `${what} ${before} ${after}`}
						columns={[
							{ head: t.what, cell: ({ what }) => what },
							{ head: t.changes, isWide: true, cell: ({ change }) => <Badge tone={tones[change]}>{t[change]}</Badge> },
							{ head: t.before, cell: ({ before }) => before },
							{ head: t.after, cell: ({ after }) => after },
						]}
					/>
				</div>
			)}
			<Facts of={{ [t.moved]: formatNumber(impact.subscriptionsCount), [t.losing]: formatNumber(count) }} />
			{losing.length === 0 ? (
				<p className="note good">{t.nobodyLoses}</p>
			) : (
				<>
					{count > losing.length && <p className="quiet small">{t.losingText({ shown: losing.length, count })}</p>}
					<div className="framed">
						<Table
							label={t.losing}
							rows={losing}
							rowKey={({ customerId }) => customerId}
							columns={[
								{ head: t.customer, cell: ({ customerId }) => <CustomerName id={customerId} /> },
								{ head: t.loses, cell: ({ loses }) => loses.map(nameOf).join(", ") },
							]}
						/>
					</div>
				</>
			)}
		</div>
	);
}

const ofCharge =
	(nameOf: (id: string) => string) =>
	({ change, before, after, isOverage }: PublishImpact["charges"][number]): Change => {
		const terms = after ?? before;
		const what = terms ? `${chargedFor(terms, nameOf)}, ${billedText(terms)}` : missing;
		return {
			what: isOverage ? `${t.overage}: ${what}` : what,
			change,
			before: before ? priceText(before) : missing,
			after: after ? priceText(after) : missing,
		};
	};

const ofPhases = ({ before, after }: NonNullable<PublishImpact["phases"]>): Change => ({
	what: words.phases,
	change: before.length === 0 ? "ADDED" : after.length === 0 ? "REMOVED" : "CHANGED",
	before: phasesText(before),
	after: phasesText(after),
});

const phasesText = (phases: Phases): string =>
	phases
		.map(
			({ displayName, ...phase }) =>
				`${displayName ?? phase.id}: ${durationText(phase.duration)}, ${phasePrices(phase)}`,
		)
		.join("; ") || missing;

function ofThresholds({ spendThresholds }: PublishImpact): Change[] {
	if (!spendThresholds) return [];
	const { change, before, after } = spendThresholds;
	const text = (thresholds: typeof before) => thresholdsText(thresholds ?? undefined) ?? missing;
	return [{ what: t.spendThresholds, change, before: text(before), after: text(after) }];
}

function ofTerm({ term }: PublishImpact): Change[] {
	if (!term) return [];
	const { change, before, after } = term;
	return [{ what: terms.term, change, before: termText(before) ?? missing, after: termText(after) ?? missing }];
}

function ofCommitments({ commitments }: PublishImpact): Change[] {
	if (!commitments) return [];
	const { change, before, after } = commitments;
	const text = (stated: typeof before) => commitmentsText(stated ?? undefined) ?? missing;
	return [{ what: t.commitments, change, before: text(before), after: text(after) }];
}

const ofEntitlement =
	(nameOf: (id: string) => string) =>
	({ id, change, before, after }: PublishImpact["entitlements"][number]): Change => ({
		what: nameOf(id),
		change,
		before: before ? termsText(before) : missing,
		after: after ? termsText(after) : missing,
	});

const termsText = (terms: Parameters<typeof grantText>[0]): string =>
	[grantText(terms), resetText(terms), ...notesOf(terms)].filter((part) => part !== missing).join(", ");
