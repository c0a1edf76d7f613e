"""A conversation with tools over chat completions, as a program has it with OpenAI's SDK."""

import json

from openai import OpenAI

from tools import described, prompt, run_tool, turns_max

offered = [
    {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}
    for name, description, parameters in described
]


def converse(client: OpenAI) -> str:
    """Synchronous and streamed, with the raw answer."""
    messages = [{"role": "user", "content": prompt}]
    for _ in range(turns_max):
        text, calls = ask(client, messages)
        if not calls:
            return text
        messages.append({"role": "assistant", "content": text or None, "tool_calls": calls})
        for call in calls:
            result = run_tool(call["function"]["name"], json.loads(call["function"]["arguments"]))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    raise RuntimeError("too many turns")


def ask(client: OpenAI, messages: list) -> tuple[str, list]:
    """One turn: the text of the answer, and the calls that it makes."""
    text, calls = "", {}
    with client.chat.completions.with_streaming_response.create(
        model="any-model", messages=messages, tools=offered, stream=True, stream_options={"include_usage": True}
    ) as raw:
        for chunk in raw.parse():
            for choice in chunk.choices:
                text += choice.delta.content or ""
                for part in choice.delta.tool_calls or []:
                    empty = {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
                    call = calls.setdefault(part.index, empty)
                    call["id"] += part.id or ""
                    call["function"]["name"] += part.function.name or ""
                    call["function"]["arguments"] += part.function.arguments or ""
    return text, list(calls.values())
