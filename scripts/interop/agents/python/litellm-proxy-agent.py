"""A program of OpenAI's SDK, before LiteLLM's proxy, before Sluice."""

import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from openai import OpenAI

from tools import api, base, described, main, prompt, run_tool, turns_max

start_s_max = 50
# The proxy wants a key of its own, of this form; programs send it to the proxy.
master_key = f"sk-{secrets.token_hex(16)}"


@contextmanager
def proxy():
    """@yields its base URL"""
    model, address = ("anthropic/any-model", base) if api == "messages" else ("openai/any-model", f"{base}/v1")
    settings = {"model": model, "api_base": address, "api_key": "os.environ/SLUICE_TOKEN"}
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as config, socket.socket() as free:
        # JSON is YAML too.
        json.dump({"model_list": [{"model_name": "any-model", "litellm_params": settings}]}, config)
        config.flush()
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        program = Path(sys.executable).with_name("litellm")
        words = ["--config", config.name, "--host", "127.0.0.1", "--port", str(port)]
        environment = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MASTER_KEY": master_key}
        child = subprocess.Popen([program, *words], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(f"http://127.0.0.1:{port}/health/liveliness")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            child.terminate()
            child.wait()


def wait_for(url: str) -> None:
    until = time.monotonic() + start_s_max
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(url):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("the proxy of LiteLLM does not answer")


def agent() -> str:
    tools = [
        {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}
        for name, description, parameters in described
    ]
    messages = [{"role": "user", "content": prompt}]
    with proxy() as url:
        client = OpenAI(base_url=url, api_key=master_key, max_retries=0)
        for _ in range(turns_max):
            with client.chat.completions.stream(model="any-model", messages=messages, tools=tools) as stream:
                for _event in stream:
                    pass
                message = stream.get_final_completion().choices[0].message
            if not message.tool_calls:
                return message.content
            made = [
                {"id": call.id, "type": "function", "function": {"name": call.function.name, "arguments": call.function.arguments}}
                for call in message.tool_calls
            ]
            messages.append({"role": "assistant", "content": message.content, "tool_calls": made})
            for call in message.tool_calls:
                result = run_tool(call.function.name, json.loads(call.function.arguments))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    raise RuntimeError("too many turns")


main(agent)
