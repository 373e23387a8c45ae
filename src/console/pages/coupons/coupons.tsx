import { useState } from "react";
import { Route, Switch } from "wouter";
import type { Coupon } from "../../../areas/coupons/schema";
import { Choice, Filters } from "../../kit/filters";
import { useList } from "../../kit/list";
import { Ago } from "../../kit/money";
import { Card, Page } from "../../kit/page";
import { Status, statusText } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { t as common } from "../../messages/common";
import { t } from "../../messages/coupons";
import { may } from "../../session";
import { CouponPage } from "./coupon";
import { discountOf, durationOf } from "./discount";
import { NewCoupon } from "./new-coupon";

export default function Coupons() {
	return (
		<Switch>
			<Route path="/coupons">
				<CouponList />
			</Route>
			<Route path="/coupons/:id">{({ id }) => <CouponPage key={id} id={decodeURIComponent(id)} />}</Route>
		</Switch>
	);
}

const statuses: readonly Coupon["status"][] = ["ACTIVE", "ARCHIVED"];

function CouponList() {
	const list = useList<Coupon>("/coupons", { filters: ["status"] });
	const [isOpen, setOpen] = useState(false);
	return (
		<Page
			title={t.title}
			text={t.text}
			curl={list.path}
			actions={
				may("COUPON:WRITE") && (
					<button type="button" className="solid" onClick={() => setOpen(true)}>
						{t.newCoupon}
					</button>
				)
			}
		>
			<Card isFlush>
				<Filters>
					<Choice
						list={list}
						name="status"
						label={common.status}
						options={statuses.map((value) => ({ value, label: statusText(value) }))}
					/>
				</Filters>
				<ListTable
					label={t.title}
					list={list}
					rowKey={({ id }) => id}
					href={({ id }) => `/coupons/${encodeURIComponent(id)}`}
					empty={{ title: t.emptyTitle, text: t.emptyText }}
					columns={[
						{ head: t.coupon, cell: ({ name }) => name },
						{ head: common.id, isWide: true, cell: ({ id }) => <code className="quiet">{id}</code> },
						{ head: t.discount, isFigure: true, cell: discountOf },
						{ head: t.duration, isWide: true, cell: durationOf },
						{ head: common.status, cell: ({ status }) => <Status of={status} /> },
						{ head: common.created, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
					]}
				/>
			</Card>
			<NewCoupon isOpen={isOpen} onClose={() => setOpen(false)} />
		</Page>
	);
}
