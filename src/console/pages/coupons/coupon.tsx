import { useState } from "react";
import { type Coupon, CouponUpdate } from "../../../areas/coupons/schema";
import type { Customer } from "../../../areas/customers/schema";
import { send } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, Dialog } from "../../kit/dialog";
import { Form, TextField } from "../../kit/form";
import { useList, useOne } from "../../kit/list";
import { Ago, When } from "../../kit/money";
import { Card, Facts, Page, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Status } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/coupons";
import { t as customers } from "../../messages/customers";
import { words } from "../../messages/shared/words";
import { may } from "../../session";
import { discountOf, durationOf } from "./discount";

export function CouponPage({ id }: { readonly id: string }) {
	const path = `/coupons/${encodeURIComponent(id)}`;
	const { data: coupon, error, refetch } = useOne<Coupon>(path);
	const list = useList<Customer>("/customers", { fixed: { couponId: id } });
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!coupon) return <Skeleton lines={6} />;
	return (
		<Page
			title={coupon.name}
			beside={<Status of={coupon.status} />}
			text={coupon.description ?? undefined}
			parent={{ name: t.title, path: "/coupons" }}
			curl={path}
			actions={coupon.status === "ACTIVE" && may("COUPON:WRITE") && <Actions coupon={coupon} path={path} />}
		>
			<Card>
				<Facts
					of={[
						[t.discount, discountOf(coupon)],
						[t.duration, durationOf(coupon)],
						...Object.entries(coupon.metadata ?? {}).map(([name, value]) => [name, value] as const),
						[words.created, <When key="created" at={coupon.createdAt} />],
						[t.id, <Id key="id" of={coupon.id} />],
					]}
				/>
			</Card>
			<Card isFlush title={t.who} text={t.whoText}>
				<ListTable
					label={t.who}
					list={list}
					rowKey={(customer) => customer.id}
					href={(customer) => `/customers/${encodeURIComponent(customer.id)}`}
					empty={{ title: t.nobody, text: t.nobodyText }}
					columns={[
						{ head: customers.customer, cell: (customer) => customer.name ?? customer.id },
						{ head: t.id, cell: (customer) => <code className="quiet">{customer.id}</code> },
						{ head: customers.since, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
					]}
				/>
			</Card>
		</Page>
	);
}

function Actions({ coupon, path }: { readonly coupon: Coupon; readonly path: string }) {
	const [isOpen, setOpen] = useState(false);
	const close = () => setOpen(false);
	return (
		<>
			<ConfirmButton
				label={t.archive}
				title={t.archiveTitle({ name: coupon.name })}
				says={t.archiveSays}
				isDanger
				perform={() => send("POST", `${path}/archive`)}
			/>
			<button type="button" onClick={() => setOpen(true)}>
				{t.edit}
			</button>
			<Dialog title={t.edit} isOpen={isOpen} onClose={close}>
				<Form
					schema={CouponUpdate}
					initial={{ name: coupon.name, description: coupon.description ?? undefined }}
					action={t.save}
					submit={({ name, description }) => send("PATCH", path, { name, description: description ?? null })}
					onCancel={close}
					onDone={() => {
						close();
						toast(t.saved);
					}}
				>
					<TextField name="name" label={t.name} isRequired />
					<TextField name="description" label={t.description} />
				</Form>
			</Dialog>
		</>
	);
}
