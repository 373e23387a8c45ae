import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import type { PackagePublish } from "../../../areas/packages/schema";
import type { PublishImpact } from "../../../areas/packages/versions/schema.impact";
import { send } from "../../api";
import { FormButton } from "../../kit/forms/form-dialog";
import { Input } from "../../kit/forms/form-fields";
import { useForm } from "../../kit/forms/form-state";
import { Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { optionsOf } from "../../kit/values";
import { t } from "../../messages/packages";
import { may } from "../../session";
import { Impact } from "./impact";
import { type OfPackage, pathOf } from "./kinds";
import { Simulation } from "./simulation";

type MigrationType = PackagePublish["migrationType"];

const migrationTypes: readonly MigrationType[] = ["NEW_CUSTOMERS", "ALL_CUSTOMERS"];

/** Shows the changes, and the customers who lose entitlements, before it publishes. */
export function PublishButton({ kind, of }: OfPackage) {
	const path = pathOf(kind, of.id);
	const names = { number: of.versionNumber, name: of.displayName };
	return (
		<FormButton
			label={t.publish}
			title={t.publishTitle(names)}
			kind="drawer"
			isMain
			to={["POST", `${path}/publish`]}
			texts={t}
			initial={{ migrationType: "NEW_CUSTOMERS" }}
			action={t.publish}
			leadsTo={() => path}
			onDone={() => t.published(names)}
		>
			<Publication kind={kind} of={of} />
		</FormButton>
	);
}

function Publication({ kind, of }: OfPackage) {
	const { entered } = useForm();
	const migrationType = migrationTypes.find((one) => one === entered.migrationType) ?? "NEW_CUSTOMERS";
	const path = `${pathOf(kind, of.id)}/publish?dryRun=true`;
	// A query would be read again after publishing, when there is no draft.
	const { data, error, mutate } = useMutation({
		mutationFn: (type: MigrationType) =>
			send<{ data: { impact: PublishImpact } }>("POST", path, { migrationType: type }),
	});
	useEffect(() => mutate(migrationType), [mutate, migrationType]);
	const isPriced = kind === "PLAN" && of.versionNumber > 1 && of.pricingType !== "CUSTOM";
	return (
		<>
			<Input
				name="migrationType"
				kind="select"
				label={t.whoGetsIt}
				hint={t[`${migrationType}_text`]}
				options={optionsOf(t, migrationTypes)}
			/>
			<Problem error={error} />
			{!data && !error && (
				<>
					<p className="quiet">{t.calculating}</p>
					<Skeleton lines={4} />
				</>
			)}
			{data && <Impact of={data.data.impact} />}
			{isPriced && may("SUBSCRIPTION:READ") && <Simulation planId={of.id} />}
		</>
	);
}
