/**
 * Mentions in enhanced Markdown.
 *
 * @module
 */
import * as v from "valibot";
import { type DateInput, dateInput, dateIssues, type DateValue } from "../../values/dates.ts";
import type { MentionInput } from "../../values/mention.ts";
import { targetIn } from "../link_forms.ts";
import { type Attributes, wholeElement } from "./attributes.ts";

/** Returns the mention of a tag; undefined for other tags, and if it has no valid target. */
export function mentionOfElement(name: string, attributes: Attributes): MentionInput | undefined {
  if (name === "mention-date") return dateMention(attributes);
  const url = attributes.get("url") ?? "";
  if (name === "mention-user") {
    const target = targetIn(url, "user");
    return target && { user: { id: target.id } };
  }
  if (name === "mention-page") {
    const target = targetIn(url, "page");
    return target && { page: { id: target.id } };
  }
  if (name !== "mention-database" && name !== "mention-data-source") return undefined;
  const target = targetIn(url, "database");
  return target && { database: { id: target.id } };
}

function dateMention(attributes: Attributes): MentionInput | undefined {
  const zone = attributes.get("timeZone") ?? attributes.get("time-zone");
  const start = momentOf(attributes, "start");
  const end = momentOf(attributes, "end");
  const hasZone = zone !== undefined && start !== undefined && /[T ][\d:.]+$/.test(start);
  const date: Partial<DateInput> = {
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
    ...(hasZone && { time_zone: zone }),
  };
  return v.is(dateInput, date) && dateIssues(date, "").length === 0 ? { date } : undefined;
}

function momentOf(attributes: Attributes, name: "start" | "end"): string | undefined {
  const day = attributes.get(name);
  const time = attributes.get(`${name}Time`) ?? attributes.get(`${name}-time`);
  return day === undefined || time === undefined ? day : `${day}T${time}`;
}

const MINUTE_IN_UTC = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):00\.000\+00:00$/;

/**
 * The tag of a mentioned date. Times that are not whole minutes in UTC are given with their offset.
 */
export function dateElement({ start, end }: DateValue): string {
  const [, startDay, startTime] = MINUTE_IN_UTC.exec(start) ?? [];
  const [, endDay, endTime] = MINUTE_IN_UTC.exec(end ?? "") ?? [];
  const isPlain = startTime !== undefined && (end === null || endTime !== undefined);
  return isPlain
    ? wholeElement("mention-date", {
      start: startDay,
      startTime,
      end: endDay,
      endTime,
      timeZone: "UTC",
    })
    : wholeElement("mention-date", { start, end: end ?? undefined });
}
